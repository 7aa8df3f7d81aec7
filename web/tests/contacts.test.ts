import { describe, expect, it } from 'vitest';
import { found, requestOf, type Contact } from '../src/contacts/book.svelte';

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
});
