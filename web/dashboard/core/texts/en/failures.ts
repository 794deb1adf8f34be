/** What went wrong, and what to do about it. */
export const failure = {
  offline: 'Deskbell cannot be reached. Check your connection; what you typed is still here.',
  fields: 'Some fields need another look.',
  unknown: (status: number) => `Something went wrong (${status}). Try again.`,
  wait: (seconds: number | null) =>
    seconds === null
      ? 'Too many attempts. Wait a while, then try again.'
      : `Too many attempts. Try again in ${seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`}.`,
  attemptsLeft: (count: number) =>
    count === 0
      ? 'No attempts are left: wait a while, then sign in again.'
      : `${count} attempt${count === 1 ? ' is' : 's are'} left.`,
  request: (id: string) => `Request ${id}`,
  copyRequest: 'Copy the number of the request',
  title: 'This page broke',
  about:
    'The rest of Deskbell still works. Load the page again; if it breaks again, tell whoever runs this server.',
  reload: 'Load again',
  updatedTitle: 'Deskbell has been updated',
  updated: 'This page is from before the update. Load it again to go on.',
  missingTitle: 'There is no such page',
  missing: 'The address may be mistyped, or what was here is gone.',
  home: 'Go to the start',
  forbiddenTitle: 'This page is not for your role',
  forbidden: 'Ask an admin of the project if you need it.',
}

/** By the code of an answer; others say the server's own sentence. */
export const codes = {
  CANNED_ANSWER_EXISTS: 'This shortcut is taken already; choose another one.',
  CUSTOM_FIELD_EXISTS: 'There is a field of this key already; choose another one.',
  DEPARTMENT_EXISTS: 'There is a department of this name already; choose another one.',
  PROJECT_SUSPENDED: 'This project is suspended. Ask whoever runs this server.',
  INVALID_EMAIL_OR_PASSWORD: 'E-mail address or password is wrong.',
  INVALID_PASSWORD: 'The password is wrong.',
  INVALID_CODE: 'The code is wrong. Codes change every 30 seconds: enter the newest.',
  CODE_USED: 'This code was used before. Wait for the next one, at most 30 seconds.',
  INVALID_BACKUP_CODE: 'The recovery code is wrong or was used before.',
  INVALID_TWO_FACTOR_COOKIE: 'That took too long. Sign in again.',
  PASSWORD_TOO_SHORT: 'The password is too short: take at least 10 characters.',
  PASSWORD_TOO_LONG: 'The password is too long: take at most 128 characters.',
  SESSION_NOT_FRESH: 'For this, sign out and sign in again first.',
  PASSKEY_NOT_FOUND: 'This passkey is not known here. Sign in with your password.',
  AUTHENTICATION_FAILED: 'This passkey was not accepted. Sign in with your password.',
  AUTH_CANCELLED: 'No passkey was chosen.',
  ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY:
    'Your browser used no passkey: the request was cancelled or took too long. Try again.',
  PASSKEY_NAME_NOT_POSSIBLE: 'Choose a name of 1 to 100 characters on one line.',
  REGISTRATION_CANCELLED: 'No passkey was made.',
  ERROR_CEREMONY_ABORTED: 'No passkey was made.',
  PREVIOUSLY_REGISTERED: 'This device already has a passkey for this account.',
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'This device already has a passkey for this account.',
}

/** By the type of a problem with one field. */
export const problems = {
  missing: 'This is needed.',
  string_too_short: 'This is too short.',
  string_too_long: 'This is too long.',
  string_pattern_mismatch: 'This has a form that cannot be taken.',
  email: 'This is not an e-mail address.',
  value_error: 'This cannot be taken.',
  enum: 'Choose one of the list.',
}

/** By the reason of a VALIDATION_ERROR. */
export const reasons = {
  taken: 'This is taken already.',
  unknown: 'This is not there any more.',
  too_short: 'This is too short.',
  too_long: 'This is too long.',
  slug_taken: 'This is taken already; choose another one.',
  not_a_slug: 'Use letters and digits.',
  not_a_language_tag: 'This is no language tag; examples are en and pt-BR.',
  not_a_picture: 'This is no PNG, JPEG, WebP, GIF or AVIF.',
  picture_too_large: 'The picture is larger than 1 MB.',
  not_an_amount: 'This is no amount; an example is 29.00.',
  not_an_address: 'This is no address that begins with https:// or http://.',
  blocked_address: 'This address is in a network that is closed to projects.',
  not_found: 'This cannot be found.',
  no_time_between: 'Hours start and end at the same time; change one of them, or remove them.',
  not_a_domain: 'This is not a domain. Enter a domain such as shop.example.',
  not_a_timezone: 'This is no time zone; an example is Europe/Berlin.',
  same_key: 'Two questions have the same key; change one of them.',
  same: 'Choose another one.',
  last_translation: 'An article needs one language at least.',
}
