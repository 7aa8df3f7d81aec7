import { describe, expect, it } from 'vitest';
import { fieldsOf, searchContacts, requestOf, type Contact } from '../src/contacts/book.svelte';

const person = (displayName: string, emailId: string): Contact =>
  ({ contactId: displayName, displayName, emails: [{ emailId }], isActive: true, lastUpdatedDate: 0 }) as Contact;
const PEOPLE = [person('Zoë Müller', 'zoe@example.org'), person('Ada Byron', 'ada@example.net')];

describe('contacts', () => {
  it.each([
    ['zoe', ['Zoë Müller']],
    ['MULLER zo', ['Zoë Müller']],
    ['example.net', ['Ada Byron']],
    ['', ['Zoë Müller', 'Ada Byron']],
    ['nobody', []],
  ])('finds by %j', (query, expected) => {
    expect(searchContacts(PEOPLE, query).map((contact) => contact.displayName)).toEqual(expected);
  });

  it('read several addresses from one field, and use the address as the name if there is none', () => {
    const fields = { firstName: ' ', lastName: '', emails: 'a@example.org; b@example.org,', phones: '' };
    expect(requestOf(fields)).toEqual({
      firstName: '',
      lastName: '',
      displayName: 'a@example.org',
      emails: [{ emailId: 'a@example.org' }, { emailId: 'b@example.org' }],
      phones: [],
    });
  });

  it('keep values that the form does not show', () => {
    const emails = [{ emailId: 'grace@example.org', type: 'work' }];
    const admiral = { ...person('Admiral Hopper', ''), firstName: 'Grace', lastName: 'Hopper', emails } as Contact;
    const fields = { ...fieldsOf(admiral), emails: 'grace@example.org, g@example.org' };
    expect(requestOf(fields, admiral)).toMatchObject({
      displayName: 'Admiral Hopper',
      emails: [...emails, { emailId: 'g@example.org' }],
    });
    expect(requestOf({ ...fields, lastName: 'Murray' }, admiral).displayName).toBe('Grace Murray');
  });

  it('with only a display name keep it', () => {
    const [zoe] = PEOPLE;
    expect(fieldsOf(zoe!).firstName).toBe('Zoë Müller');
    expect(requestOf({ ...fieldsOf(zoe!), phones: '+49 30 123' }, zoe!).displayName).toBe('Zoë Müller');
    expect(fieldsOf(person('zoe@example.org', 'zoe@example.org')).firstName).toBe('');
  });
});
