-- From then on the project is closed, and everything that it has is being deleted.
alter table projects add column deleting_since timestamptz;

-- The highest number of a receipt whose project was deleted: no number is given twice.
alter table installation add column last_receipt bigint not null default 0;

-- Postgres asks for both at each row that is deleted.
create index tickets_follow_up on tickets (project_id, follow_up_of_id) where follow_up_of_id is not null;
create index contacts_merged on contacts (project_id, merged_into_id) where merged_into_id is not null;

-- The ledger and the receipts of a project go with it, and by nothing else.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('deskbell.deletes_project', true) = 'yes' then
    return null;
  end if;
  raise exception '% is append-only: write a correction', tg_table_name using errcode = 'restrict_violation';
end $$;
