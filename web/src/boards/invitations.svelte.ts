// Whom the owner of a board has invited, by address and by link.
import { DELETE, GET, POST, answer, type Schemas } from '../api/client';
import type { GivenRole } from './roles';

export type Invited = Schemas['BoardInvitation'];
export type JoinLink = Schemas['BoardLink'];

export class Invitations {
  invited = $state.raw<Invited[]>([]);
  links = $state.raw<JoinLink[]>([]);
  #params: { path: { board_key: string } };

  constructor(boardKey: string) {
    this.#params = { path: { board_key: boardKey } };
  }

  async load(): Promise<void> {
    const told = await answer(GET('/x/v1/boards/{board_key}/invitations', { params: this.#params }));
    this.invited = told.invitations;
    this.links = told.links;
  }

  async invite(emailId: string, memberType: GivenRole): Promise<void> {
    const body = { emailId, memberType };
    const made = await answer(POST('/x/v1/boards/{board_key}/invitations', { params: this.#params, body }));
    this.invited = [made, ...this.invited.filter((one) => one.invitationKey !== made.invitationKey)];
  }

  async uninvite(invitationKey: string): Promise<void> {
    const path = { ...this.#params.path, invitation_key: invitationKey };
    await DELETE('/x/v1/boards/{board_key}/invitations/{invitation_key}', { params: { path } });
    this.invited = this.invited.filter((one) => one.invitationKey !== invitationKey);
  }

  async makeLink(memberType: GivenRole): Promise<JoinLink> {
    const made = await answer(POST('/x/v1/boards/{board_key}/links', { params: this.#params, body: { memberType } }));
    this.links = [made, ...this.links];
    return made;
  }

  async revokeLink(linkKey: string): Promise<void> {
    const path = { ...this.#params.path, link_key: linkKey };
    await DELETE('/x/v1/boards/{board_key}/links/{link_key}', { params: { path } });
    this.links = this.links.filter((one) => one.linkKey !== linkKey);
  }
}
