-- Which sign-in a session began with: null for a password, a passkey or a link.
alter table user_sessions add column provider text;

-- The groups that the provider named at the last sign-in, of those that OIDC_GROUPS names; null where it was not asked.
alter table user_logins add column groups text[];
