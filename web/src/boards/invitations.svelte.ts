// A board's pending invitations and join links.
import { DELETE, GET, POST, dataOf, type Schemas } from '../api/client';
import type { AssignableRole } from './roles';

export type Invitation = Schemas['BoardInvitation'];
export type JoinLink = Schemas['BoardLink'];

export class Invitations {
  pending = $state.raw<Invitation[]>([]);
  links = $state.raw<JoinLink[]>([]);
  #params: { path: { board_key: string } };

  constructor(boardKey: string) {
    this.#params = { path: { board_key: boardKey } };
  }

  async load(): Promise<void> {
    const result = await dataOf(GET('/x/v1/boards/{board_key}/invitations', { params: this.#params }));
    this.pending = result.invitations;
    this.links = result.links;
  }

  async invite(emailId: string, memberType: AssignableRole): Promise<void> {
    const body = { emailId, memberType };
    const created = await dataOf(POST('/x/v1/boards/{board_key}/invitations', { params: this.#params, body }));
    this.pending = [
      created,
      ...this.pending.filter((invitation) => invitation.invitationKey !== created.invitationKey),
    ];
  }

  async revokeInvitation(invitationKey: string): Promise<void> {
    const path = { ...this.#params.path, invitation_key: invitationKey };
    await DELETE('/x/v1/boards/{board_key}/invitations/{invitation_key}', { params: { path } });
    this.pending = this.pending.filter((invitation) => invitation.invitationKey !== invitationKey);
  }

  async createLink(memberType: AssignableRole): Promise<JoinLink> {
    const created = await dataOf(
      POST('/x/v1/boards/{board_key}/links', { params: this.#params, body: { memberType } }),
    );
    this.links = [created, ...this.links];
    return created;
  }

  async revokeLink(linkKey: string): Promise<void> {
    const path = { ...this.#params.path, link_key: linkKey };
    await DELETE('/x/v1/boards/{board_key}/links/{link_key}', { params: { path } });
    this.links = this.links.filter((link) => link.linkKey !== linkKey);
  }
}
