// Whose a file is, where people share.

export interface Owner {
  name: string;
  isMe: boolean;
}
