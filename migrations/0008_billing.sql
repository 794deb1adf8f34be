-- Money is whole hundredths of its currency: exact, and never a float.

alter table plans
  add column price bigint not null default 0 check (price between 0 and 100000000000),
  add column currency text check (currency ~ '^[A-Z]{3}$'),
  add column period text not null default 'month' check (period in ('month', 'year')),
  add column operator_seats int check (operator_seats > 0),
  add column rank int not null default 0,
  add column is_for_sale boolean not null default false,
  add column is_entry boolean not null default false,
  add column is_trial boolean not null default false,
  add column trial_days int check (trial_days between 1 and 3650),
  add column becomes text references plans (code),
  add constraint plans_price_currency check (price = 0 or currency is not null),
  add constraint plans_free_ends check (price = 0 or not (is_entry or is_trial)),
  add constraint plans_trial_days check (is_trial = (trial_days is not null)),
  add constraint plans_trial_apart check (not is_trial or not (is_entry or is_for_sale)),
  add constraint plans_becomes check (becomes is null or is_trial);
create unique index plans_entry on plans (is_entry) where is_entry;
create unique index plans_trial on plans (is_trial) where is_trial;
create index plans_becomes on plans (becomes) where becomes is not null;

alter table projects add column suspended_reason text;

-- Of each project that is on a plan with an end. The end is `months` after the anchor, so that a plan bought on
-- 31 January ends on 28 February and then on 31 March; a trial ends where its one period does.
create table subscriptions (
  project_id uuid primary key references projects (id) on delete cascade,
  id uuid not null unique,
  anchor timestamptz not null,
  months int not null default 0,
  expires_at timestamptz not null,
  is_trial boolean not null default false,
  auto_renew boolean not null default true,
  -- What a trial becomes when nothing else is chosen, as it was promised when the trial began.
  becomes text references plans (code),
  next_plan text references plans (code)
);
create index subscriptions_end on subscriptions (expires_at);
create index subscriptions_next on subscriptions (next_plan) where next_plan is not null;
create index subscriptions_becomes on subscriptions (becomes) where becomes is not null;

-- What each period was bought for: a plan that changes later does not change it.
create table plan_periods (
  project_id uuid not null references subscriptions (project_id) on delete cascade,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  plan text not null,
  price bigint not null,
  currency text,
  monthly_ticket_limit int,
  features jsonb not null,
  operator_seats int,
  primary key (project_id, starts_at)
);

-- What a project may do now: as its running period was bought, or as its plan stands when that has no end.
create view project_terms as
  select p.id as project_id, p.plan,
    case when t.starts_at is null then plans.monthly_ticket_limit else t.monthly_ticket_limit end as monthly_ticket_limit,
    case when t.starts_at is null then plans.features else t.features end as features,
    case when t.starts_at is null then plans.operator_seats else t.operator_seats end as operator_seats
  from projects p join plans on plans.code = p.plan
  left join lateral (
    select * from plan_periods where project_id = p.id and starts_at <= now() order by starts_at desc limit 1
  ) t on true;

-- The row that every entry of a project's ledger locks.
create table accounts (
  project_id uuid primary key references projects (id),
  currency text not null check (currency ~ '^[A-Z]{3}$')
);

-- The ledger. The balance is what stands in its last entry.
create table balance_entries (
  project_id uuid not null references accounts (project_id),
  seq bigint not null,
  amount bigint not null check (amount <> 0 and abs(amount) <= 100000000000),
  balance_after bigint not null check (abs(balance_after) <= 9007199254740991),
  cause text not null check (cause in ('top_up', 'plan', 'credit', 'correction', 'refund')),
  idempotency_key text not null,
  reference text,
  note text,
  by text,
  created_at timestamptz not null default now(),
  primary key (project_id, seq),
  unique (project_id, idempotency_key)
);

-- Numbers the entry and works out the balance, whatever the statement said. A key that was used before books nothing.
create function book_entry() returns trigger language plpgsql as $$
declare
  last balance_entries;
begin
  perform from accounts where project_id = new.project_id for update;
  if exists (select from balance_entries e
      where e.project_id = new.project_id and e.idempotency_key = new.idempotency_key) then
    return null;
  end if;
  select * into last from balance_entries e where e.project_id = new.project_id order by e.seq desc limit 1;
  new.seq := coalesce(last.seq, 0) + 1;
  new.balance_after := coalesce(last.balance_after, 0) + new.amount;
  if new.amount < 0 and new.balance_after < 0 and new.cause <> 'correction' then
    raise exception 'The balance of project % does not cover %', new.project_id, -new.amount using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger balance_entries_book before insert on balance_entries for each row execute function book_entry();

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: write a correction', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger balance_entries_keep before update or delete or truncate on balance_entries
  for each statement execute function refuse_change();
create trigger accounts_keep before update or delete or truncate on accounts
  for each statement execute function refuse_change();

create table payments (
  project_id uuid not null references projects (id),
  id uuid not null,
  order_id text not null unique,
  gateway text not null,
  amount bigint not null check (amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  method text not null,
  status text not null default 'pending' check (status in ('pending', 'received', 'failed')),
  external_id text,
  transaction_id text,
  reason text,
  refund_tries int not null default 0,
  refunded_at timestamptz,
  by text,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  primary key (project_id, id)
);
create index payments_pending on payments (project_id, created_at) where status = 'pending';

-- What will be asked for at the end of a running period, where the balance does not cover it as it is now.
create view uncovered_renewals as
  select s.project_id, s.expires_at, plans.code as plan, plans.price, plans.currency, held.balance,
    plans.price - held.balance as shortfall
  from subscriptions s
  join projects p on p.id = s.project_id
  join plans on plans.code = coalesce(s.next_plan,
    case when s.auto_renew then case when s.is_trial then s.becomes else p.plan end end)
  cross join lateral (
    select coalesce((
      select e.balance_after from balance_entries e join accounts a using (project_id)
      where e.project_id = s.project_id and a.currency = plans.currency order by e.seq desc limit 1), 0) as balance
  ) held
  where s.expires_at > now() and plans.price > held.balance;

-- Its owners are told once in each step of a period.
create table renewal_notices (
  project_id uuid not null references projects (id) on delete cascade,
  expires_at timestamptz not null,
  days int not null check (days in (7, 3, 1)),
  found_at timestamptz not null default now(),
  lease_until timestamptz,
  mailed_at timestamptz,
  primary key (project_id, expires_at, days)
);
create index renewal_notices_unsent on renewal_notices (found_at) where mailed_at is null;

-- Documents of the ledger, numbered without a gap in the whole installation. What they say stays.
create table receipts (
  number bigint primary key,
  project_id uuid not null,
  entry_seq bigint not null,
  project_name text not null,
  seller text not null,
  issued_at timestamptz not null default now(),
  unique (project_id, entry_seq),
  foreign key (project_id, entry_seq) references balance_entries (project_id, seq)
);
create trigger receipts_keep before update or delete or truncate on receipts
  for each statement execute function refuse_change();
