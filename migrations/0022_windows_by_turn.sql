-- Each window has a row of its own, or the busiest would be looked for among all that it was since somebody began to hold a
-- snapshot. Code before this cannot count here: until it is replaced its requests are not limited.
alter table rate_windows
  add column turn bigint not null default 1,
  drop constraint rate_windows_pkey,
  add primary key (bucket, turn);
