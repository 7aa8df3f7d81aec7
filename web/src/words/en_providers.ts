// Logging in through providers (OpenID Connect), and linking identities there.
export const enProviders = {
  'login.provider': 'Log in with {name}',
  'login.provider.or': 'or',
  'login.provider.waiting': 'Logging in…',
  'login.provider.again': 'Or log in through your provider. This page is then loaded again.',
  'login.provider.problem.ended': 'This login took too long, or was begun in another browser. Please try again.',
  'login.provider.problem.cancelled': 'The login was cancelled at the provider.',
  'login.provider.problem.refused': 'The provider’s answer could not be accepted. Please try again.',
  'login.provider.problem.unavailable':
    'The provider cannot be reached right now. Try again in a moment, or tell the person who runs this server.',
  'login.provider.problem.busy': 'Many people are logging in right now. Try again in a moment.',
  'login.provider.problem.throttled': 'Too many attempts. Wait a few minutes and try again.',
  'login.provider.problem.group':
    'You are logged in at the provider, but are in no group that may use this server. Ask the person who runs it.',
  'login.provider.problem.domain':
    'You are logged in at the provider, but your email address is not in a domain that may use this server.',
  'login.provider.problem.unverified':
    'The provider does not say that your email address is verified. Verify it there, and try again.',

  'settings.identities': 'Login providers',
  'settings.identities.text': 'Log in here with an account that you have elsewhere.',
  'settings.identities.used': 'Last used {when}',
  'settings.identities.gone': 'No longer offered by this server',
  'settings.identities.link': 'Link {name}',
  'settings.identities.link.text':
    'You are sent to {name}. After you have logged in there, that account opens this one, too.',
  'settings.identities.link.submit': 'Continue to {name}',
  'settings.identities.linked': 'Linked. You can now log in that way.',
  'settings.identities.unlink': 'Unlink',
  'settings.identities.unlink.name': 'Unlink {name}',
  'settings.identities.unlinked': '{name} no longer opens this account.',
  'settings.identities.password':
    'You log in through a provider. A password lets you log in without it, and on the command line.',
  'settings.identities.fresh':
    'Your account has no password. If you logged in more than 15 minutes ago, log out and in again first.',

  'error.SKY2029': 'This account is disabled. Ask the person who runs this server.',
  'error.SKY2030': 'This server no longer offers this provider. Reload the page.',
  'error.SKY2031': 'This login took too long. Please begin again.',
  'error.SKY2032': 'This identity is already linked to an account, or your account has another one of this provider.',
  'error.SKY2033': 'This identity is no longer linked.',
  'error.SKY2034': 'Nothing else opens your account. Set a password or link another provider first.',
  'error.SKY2035': 'Your login is too old for this. Log out, log in again through the provider, and do it right away.',
  'error.SKY2036': 'The provider cannot be reached right now. Try again in a moment.',
  'error.SKY2037': 'There is no account for you on this server. Ask the person who runs it.',
  'error.SKY2038': 'The provider does not say that your email address is verified. Verify it there, and try again.',
  'error.SKY2039':
    'There is already an account with your email address. Log in with its password, and link the provider in the settings.',
};
