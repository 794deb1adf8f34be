/** Error messages, with what to do. */
export const failure = {
  offline: 'Can’t reach Deskbell. Check your connection. What you typed is still here.',
  fields: 'Check the highlighted fields.',
  unknown: (status: number) => `Something went wrong (${status}). Try again.`,
  wait: (seconds: number | null) =>
    seconds === null
      ? 'Too many attempts. Wait a few minutes, then try again.'
      : `Too many attempts. Try again in ${seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`}.`,
  attemptsLeft: (count: number) =>
    count === 0
      ? 'No attempts left. Wait a few minutes, then sign in again.'
      : `${count} attempt${count === 1 ? '' : 's'} left.`,
  request: (id: string) => `Request ${id}`,
  copyRequest: 'Copy request ID',
  title: 'Something went wrong on this page',
  about:
    'The rest of Deskbell still works. Reload the page. If that doesn’t help, contact your administrator.',
  reload: 'Reload',
  updatedTitle: 'Deskbell has been updated',
  updated: 'Reload the page to continue.',
  missingTitle: 'Page not found',
  missing: 'Check the address. The page may have been moved or deleted.',
  home: 'Go to home page',
  forbiddenTitle: 'You don’t have access to this page',
  forbidden: 'Need it? Ask an admin of your project.',
}

/** By error code. For other codes, the server's message is shown. */
export const codes = {
  CANNED_ANSWER_EXISTS: 'This shortcut is already in use. Choose another.',
  CUSTOM_FIELD_EXISTS: 'A field with this key already exists. Choose another key.',
  DEPARTMENT_EXISTS: 'A department with this name already exists. Choose another name.',
  PROJECT_SUSPENDED: 'This project is suspended. Contact your administrator.',
  INVALID_EMAIL_OR_PASSWORD: 'Wrong email address or password.',
  INVALID_PASSWORD: 'Wrong password. Try again.',
  INVALID_CODE: 'Wrong code. Codes change every 30 seconds, so enter the latest one.',
  CODE_USED: 'This code was already used. Wait up to 30 seconds for the next one.',
  INVALID_BACKUP_CODE: 'This recovery code is wrong or already used. Try another.',
  INVALID_TWO_FACTOR_COOKIE: 'That took too long. Sign in again.',
  PASSWORD_TOO_SHORT: 'Password too short. Use at least 10 characters.',
  PASSWORD_TOO_LONG: 'Password too long. Use at most 128 characters.',
  SESSION_NOT_FRESH: 'Sign out and sign in again, then retry.',
  PASSKEY_NOT_FOUND: 'We don’t recognise this passkey. Sign in with your password.',
  AUTHENTICATION_FAILED: 'This passkey wasn’t accepted. Sign in with your password.',
  AUTH_CANCELLED: 'No passkey selected. Try again.',
  ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY: 'The passkey request was cancelled or timed out. Try again.',
  PASSKEY_NAME_NOT_POSSIBLE: 'Use 1 to 100 characters on one line.',
  REGISTRATION_CANCELLED: 'No passkey created. Try again.',
  ERROR_CEREMONY_ABORTED: 'No passkey created. Try again.',
  PREVIOUSLY_REGISTERED: 'This device already has a passkey for this account.',
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'This device already has a passkey for this account.',
}

/** By the type of a problem with one field. */
export const problems = {
  missing: 'Required',
  string_too_short: 'Too short',
  string_too_long: 'Too long',
  string_pattern_mismatch: 'Wrong format',
  email: 'Enter a valid email address.',
  value_error: 'Invalid value',
  enum: 'Choose an option from the list.',
}

/** By the reason of a VALIDATION_ERROR. */
export const reasons = {
  taken: 'Already in use. Choose another.',
  unknown: 'This no longer exists. Choose another.',
  too_short: 'Too short',
  too_long: 'Too long',
  slug_taken: 'Already in use. Choose another.',
  not_a_slug: 'Use letters and digits only.',
  not_a_language_tag: 'Enter a language tag such as en or pt-BR.',
  not_a_picture: 'Choose a PNG, JPEG, WebP, GIF or AVIF image.',
  picture_too_large: 'Choose a picture up to 1 MB.',
  not_an_amount: 'Enter an amount such as 29.00.',
  not_an_address: 'Enter a URL that starts with https:// or http://.',
  blocked_address: 'This address is in a blocked network. Use a public address.',
  not_found: 'Not found. Choose another.',
  no_time_between: 'Hours can’t start and end at the same time. Change or remove them.',
  not_a_domain: 'Enter a domain such as shop.example.',
  not_a_timezone: 'Enter a time zone such as Europe/Berlin.',
  same_key: 'Two questions have the same key. Change one of them.',
  same: 'Choose a different one.',
  last_translation: 'An article needs at least one language.',
}
