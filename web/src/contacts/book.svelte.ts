// The address book: all of it, since people look for others by any part of a name.
import { GET, POST, PUT, answer, type Schemas } from '../api/client';

export type Contact = Schemas['Contact'];

const AT_ONCE = 1000;
const names = new Intl.Collator(undefined, { sensitivity: 'base' });

export interface Fields {
  firstName: string;
  lastName: string;
  emails: string;
  phones: string;
}

class Book {
  contacts = $state.raw<Contact[]>([]);
  state = $state<'loading' | 'ready' | 'failed'>('loading');
  problem = $state.raw<unknown>(null);

  async load(): Promise<void> {
    this.state = 'loading';
    try {
      const all: Contact[] = [];
      for (let offset = 0; ; offset += AT_ONCE) {
        const header = { 'X-Offset': offset, 'X-CHUNK-SIZE': AT_ONCE };
        const { contacts = [] } = await answer(GET('/amiko/cab/contacts', { params: { header } }));
        all.push(...contacts);
        if (contacts.length < AT_ONCE) break;
      }
      this.contacts = inOrder(all);
      this.state = 'ready';
    } catch (problem) {
      this.problem = problem;
      this.state = 'failed';
    }
  }

  async save(fields: Fields, before: Contact | null): Promise<void> {
    const body = requestOf(fields, before);
    const saved = before
      ? await answer(PUT('/x/v1/contacts/{contact_key}', { params: { path: { contact_key: before.contactId } }, body }))
      : await answer(POST('/x/v1/contacts', { body }));
    this.contacts = inOrder([...this.contacts.filter((one) => one.contactId !== saved.contactId), saved]);
  }

  async remove(contactIds: string[]): Promise<void> {
    await POST('/x/v1/contacts/remove', { body: { contactIds } });
    const gone = new Set(contactIds);
    this.contacts = this.contacts.filter((one) => !gone.has(one.contactId));
  }

  /** How many cards came in, and how many could not be read. */
  async take(vcards: string): Promise<{ added: number; unread: number }> {
    const told = await answer(POST('/x/v1/contacts/import', { body: { vcards } }));
    await this.load();
    return { added: told.contacts.length, unread: told.unprocessed.length };
  }

  async vcards(): Promise<string> {
    let text = '';
    for (let cursor: string | undefined; ;) {
      const query = cursor ? { cursor } : {};
      const page = await answer(GET('/x/v1/contacts/export', { params: { query } }));
      text += page.vcards;
      if (!page.nextCursor) return text;
      cursor = page.nextCursor;
    }
  }
}

export const book = new Book();

export function fieldsOf(contact: Contact | null): Fields {
  const [firstName, lastName] = [contact?.firstName ?? '', contact?.lastName ?? ''];
  const isNamed = firstName || lastName || contact?.emails?.some((one) => one.emailId === contact.displayName);
  return {
    // Some cards have a name in one piece.
    firstName: isNamed ? firstName : (contact?.displayName ?? ''),
    lastName,
    emails: (contact?.emails ?? []).map((one) => one.emailId).join(', '),
    phones: (contact?.phones ?? []).map((one) => one.number).join(', '),
  };
}

/** What the fields say; what they do not show stays as it was: how somebody is called, and whether a number is the office's. */
export function requestOf(fields: Fields, before: Contact | null = null): Schemas['ContactRequest'] {
  const [firstName, lastName] = [fields.firstName.trim(), fields.lastName.trim()];
  const shown = fieldsOf(before);
  const isCalledAsBefore = before && firstName === shown.firstName.trim() && lastName === shown.lastName.trim();
  const isNamed = firstName || lastName;
  return {
    firstName,
    lastName,
    displayName:
      isCalledAsBefore && isNamed
        ? before.displayName
        : `${firstName} ${lastName}`.trim() || parts(fields.emails)[0] || '',
    emails: parts(fields.emails).map(
      (emailId) => before?.emails?.find((one) => one.emailId === emailId) ?? { emailId },
    ),
    phones: parts(fields.phones).map((number) => before?.phones?.find((one) => one.number === number) ?? { number }),
  };
}

function parts(text: string): string[] {
  return text
    .split(/[,;\n]/)
    .map((one) => one.trim())
    .filter(Boolean);
}

export function found(contacts: Contact[], query: string): Contact[] {
  const wanted = folded(query).split(/\s+/).filter(Boolean);
  if (!wanted.length) return contacts;
  return contacts.filter((contact) => {
    const told = [
      contact.displayName,
      ...(contact.emails ?? []).map((one) => one.emailId),
      ...(contact.phones ?? []).map((one) => one.number),
    ];
    const text = folded(told.join(' '));
    return wanted.every((word) => text.includes(word));
  });
}

function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

function inOrder(contacts: Contact[]): Contact[] {
  return [...contacts].sort(
    (a, b) => names.compare(a.displayName, b.displayName) || (a.contactId < b.contactId ? -1 : 1),
  );
}
