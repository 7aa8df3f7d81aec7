// The roles of a board's members.
import { t } from '../words';

export type Role = 'O' | 'M' | 'V';
/** The roles that the owner can give. */
export const ASSIGNABLE_ROLES = ['M', 'V'] as const;
export type AssignableRole = (typeof ASSIGNABLE_ROLES)[number];

export function roleOf(memberType: string | undefined): Role {
  return memberType === 'O' || memberType === 'M' ? memberType : 'V';
}

export function roleName(memberType: string): string {
  return t(`boards.role.${roleOf(memberType)}`);
}

export function canAdd(role: Role): boolean {
  return role !== 'V';
}
