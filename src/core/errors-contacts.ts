/** Error codes about contacts and organizations. */
export const contactCodes = {
  CONTACT_NOT_FOUND: [404, 'Contact not found'],
  ORGANIZATION_NOT_FOUND: [404, 'Organization not found'],
  IDENTITY_NOT_FOUND: [404, 'The contact has no such identity'],
  CONTACT_BLOCKED: [403, 'This contact is blocked. Unblock the contact to create tickets.'],
  CONTACT_MERGE_FINAL: [409, 'This merge can no longer be undone. See detail.reason.'],
  MAIL_NOT_SENT: [502, 'The email could not be sent. Ask your administrator to check SMTP_URL.'],
} as const satisfies Record<string, readonly [number, string]>
