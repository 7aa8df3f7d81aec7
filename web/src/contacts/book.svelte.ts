// The user's contacts, loaded completely, because search matches any part of a name.
import { retryWhenBack } from '../app/recovery';
import { GET, POST, PUT, dataOf, type Schemas } from '../api/client';

export type Contact = Schemas['Contact'];

const PAGE_SIZE = 1000;
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
      for (let offset = 0; ; offset += PAGE_SIZE) {
        const header = { 'X-Offset': offset, 'X-CHUNK-SIZE': PAGE_SIZE };
        const { contacts = [] } = await dataOf(GET('/amiko/cab/contacts', { params: { header } }));
        all.push(...contacts);
        if (contacts.length < PAGE_SIZE) break;
      }
      this.contacts = sorted(all);
      this.state = 'ready';
    } catch (problem) {
      this.problem = problem;
      this.state = 'failed';
      retryWhenBack(problem, () => void (this.state === 'failed' && this.load()));
    }
  }

  async save(fields: Fields, before: Contact | null): Promise<void> {
    const body = requestOf(fields, before);
    const saved = before
      ? await dataOf(PUT('/x/v1/contacts/{contact_key}', { params: { path: { contact_key: before.contactId } }, body }))
      : await dataOf(POST('/x/v1/contacts', { body }));
    this.contacts = sorted([...this.contacts.filter((contact) => contact.contactId !== saved.contactId), saved]);
  }

  async remove(contactIds: string[]): Promise<void> {
    await POST('/x/v1/contacts/remove', { body: { contactIds } });
    const gone = new Set(contactIds);
    this.contacts = this.contacts.filter((contact) => !gone.has(contact.contactId));
  }

  /** Import vCards; returns how many contacts were added and how many could not be read. */
  async importVcards(vcards: string): Promise<{ added: number; unreadable: number }> {
    const result = await dataOf(POST('/x/v1/contacts/import', { body: { vcards } }));
    await this.load();
    return { added: result.contacts.length, unreadable: result.unprocessed.length };
  }

  async exportVcards(): Promise<string> {
    let text = '';
    for (let cursor: string | undefined; ;) {
      const query = cursor ? { cursor } : {};
      const page = await dataOf(GET('/x/v1/contacts/export', { params: { query } }));
      text += page.vcards;
      if (!page.nextCursor) return text;
      cursor = page.nextCursor;
    }
  }
}

export const book = new Book();

export function fieldsOf(contact: Contact | null): Fields {
  const [firstName, lastName] = [contact?.firstName ?? '', contact?.lastName ?? ''];
  const isNamed = firstName || lastName || contact?.emails?.some((email) => email.emailId === contact.displayName);
  return {
    // Some contacts have only a display name.
    firstName: isNamed ? firstName : (contact?.displayName ?? ''),
    lastName,
    emails: (contact?.emails ?? []).map((email) => email.emailId).join(', '),
    phones: (contact?.phones ?? []).map((phone) => phone.number).join(', '),
  };
}

/** The request for the form's fields. Values that the form does not show, such as the type of a number, stay unchanged. */
export function requestOf(fields: Fields, before: Contact | null = null): Schemas['ContactRequest'] {
  const [firstName, lastName] = [fields.firstName.trim(), fields.lastName.trim()];
  const previous = fieldsOf(before);
  const hasSameName = before && firstName === previous.firstName.trim() && lastName === previous.lastName.trim();
  const isNamed = firstName || lastName;
  return {
    firstName,
    lastName,
    displayName:
      hasSameName && isNamed
        ? before.displayName
        : `${firstName} ${lastName}`.trim() || splitList(fields.emails)[0] || '',
    emails: splitList(fields.emails).map(
      (emailId) => before?.emails?.find((email) => email.emailId === emailId) ?? { emailId },
    ),
    phones: splitList(fields.phones).map(
      (number) => before?.phones?.find((phone) => phone.number === number) ?? { number },
    ),
  };
}

function splitList(text: string): string[] {
  return text
    .split(/[,;\n]/)
    .map((part) => part.trim())
    .filter(Boolean);
}

export function searchContacts(contacts: Contact[], query: string): Contact[] {
  const words = folded(query).split(/\s+/).filter(Boolean);
  if (!words.length) return contacts;
  return contacts.filter((contact) => {
    const values = [
      contact.displayName,
      ...(contact.emails ?? []).map((email) => email.emailId),
      ...(contact.phones ?? []).map((phone) => phone.number),
    ];
    const text = folded(values.join(' '));
    return words.every((word) => text.includes(word));
  });
}

function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

function sorted(contacts: Contact[]): Contact[] {
  return [...contacts].sort(
    (a, b) => names.compare(a.displayName, b.displayName) || (a.contactId < b.contactId ? -1 : 1),
  );
}
