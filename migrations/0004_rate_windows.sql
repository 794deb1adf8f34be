-- Requests of a key or an address in its window, where several processes count together without Redis.
-- Unlogged: a crash of the server empties it, and every window begins anew.
create unlogged table rate_windows (
  bucket text primary key,
  count int not null,
  ends timestamptz not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
create index rate_windows_ends on rate_windows (ends);
