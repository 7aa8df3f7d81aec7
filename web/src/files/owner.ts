// The owner of a shared file.

export interface Owner {
  name: string;
  isMe: boolean;
}
