-- The hash of the token that was mailed: whoever opens a link with it has proven the address, which the one who handed the link over has not.
alter table links add column mailed_hash bytea unique;
