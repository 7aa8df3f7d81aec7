import { describe, expect, it } from 'vitest';
import { fieldsOf, found, requestOf, type Contact } from '../src/contacts/book.svelte';

const person = (displayName: string, emailId: string): Contact =>
  ({ contactId: displayName, displayName, emails: [{ emailId }], isActive: true, lastUpdatedDate: 0 }) as Contact;
const PEOPLE = [person('Zoë Müller', 'zoe@example.org'), person('Ada Byron', 'ada@example.net')];

describe('the address book', () => {
  it.each([
    ['zoe', ['Zoë Müller']],
    ['MULLER zo', ['Zoë Müller']],
    ['example.net', ['Ada Byron']],
    ['', ['Zoë Müller', 'Ada Byron']],
    ['nobody', []],
  ])('finds by %j', (query, expected) => {
    expect(found(PEOPLE, query).map((one) => one.displayName)).toEqual(expected);
  });

  it('reads several addresses from one field, and names a person by the address where there is no name', () => {
    const fields = { firstName: ' ', lastName: '', emails: 'a@example.org; b@example.org,', phones: '' };
    expect(requestOf(fields)).toEqual({
      firstName: '',
      lastName: '',
      displayName: 'a@example.org',
      emails: [{ emailId: 'a@example.org' }, { emailId: 'b@example.org' }],
      phones: [],
    });
  });

  it('keeps what the fields do not show: how a card calls somebody, and the kinds of addresses', () => {
    const emails = [{ emailId: 'grace@example.org', type: 'work' }];
    const admiral = { ...person('Admiral Hopper', ''), firstName: 'Grace', lastName: 'Hopper', emails } as Contact;
    const fields = { ...fieldsOf(admiral), emails: 'grace@example.org, g@example.org' };
    expect(requestOf(fields, admiral)).toMatchObject({
      displayName: 'Admiral Hopper',
      emails: [...emails, { emailId: 'g@example.org' }],
    });
    expect(requestOf({ ...fields, lastName: 'Murray' }, admiral).displayName).toBe('Grace Murray');
  });

  it('shows a name that came in one piece, and does not lose it', () => {
    const [zoe] = PEOPLE;
    expect(fieldsOf(zoe!).firstName).toBe('Zoë Müller');
    expect(requestOf({ ...fieldsOf(zoe!), phones: '+49 30 123' }, zoe!).displayName).toBe('Zoë Müller');
    expect(fieldsOf(person('zoe@example.org', 'zoe@example.org')).firstName).toBe('');
  });
});
