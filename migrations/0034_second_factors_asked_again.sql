-- The time step of the last code that was taken: no code of it or of an earlier one is taken again.
alter table two_factors add column last_step bigint;

-- When the session began with a second factor, or one was added in it.
alter table user_sessions add column second_factor_at timestamptz;
