-- A condition on the project reaches every table of these views, because projects can be on different machines. It does not reach
-- a lateral sub-select with a limit.
create or replace view project_terms as
  select p.id as project_id, p.plan,
    case when t.starts_at is null then plans.monthly_ticket_limit else t.monthly_ticket_limit end as monthly_ticket_limit,
    case when t.starts_at is null then plans.features else t.features end as features,
    case when t.starts_at is null then plans.operator_seats else t.operator_seats end as operator_seats
  from projects p join plans on plans.code = p.plan
  left join (
    select distinct on (project_id) * from plan_periods where starts_at <= now() order by project_id, starts_at desc
  ) t on t.project_id = p.id;

create or replace view uncovered_renewals as
  select s.project_id, s.expires_at, plans.code as plan, plans.price, plans.currency,
    coalesce(held.balance_after, 0) as balance, plans.price - coalesce(held.balance_after, 0) as shortfall
  from subscriptions s
  join projects p on p.id = s.project_id
  join plans on plans.code = coalesce(s.next_plan,
    case when s.auto_renew then case when s.is_trial then s.becomes else p.plan end end)
  left join (
    select distinct on (e.project_id) e.project_id, a.currency, e.balance_after
    from balance_entries e join accounts a using (project_id) order by e.project_id, e.seq desc
  ) held on held.project_id = s.project_id and held.currency = plans.currency
  where s.expires_at > now() and plans.price > coalesce(held.balance_after, 0);
