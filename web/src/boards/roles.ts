// What somebody on a board may do.
import { t } from '../words';

export type Role = 'O' | 'M' | 'V';
/** The roles that somebody can be invited with. */
export const GIVEN_ROLES = ['M', 'V'] as const;
export type GivenRole = (typeof GIVEN_ROLES)[number];

export function roleOf(memberType: string | undefined): Role {
  return memberType === 'O' || memberType === 'M' ? memberType : 'V';
}

export function roleName(memberType: string): string {
  return t(`boards.role.${roleOf(memberType)}`);
}

export function mayAdd(role: Role): boolean {
  return role !== 'V';
}
