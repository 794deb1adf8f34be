-- Imports of Deskbell's own exports create organizations.
-- The tables are locked in the order in which imports lock them.
alter table imports
  add column organizations integer not null default 0,
  drop constraint imports_removal_step_check,
  add constraint imports_removal_step_check check (
    removal_step in ('tickets', 'messages', 'files', 'merged_contacts', 'contacts', 'organizations', 'records'));

alter table imported_records
  drop constraint imported_records_kind_check,
  add constraint imported_records_kind_check
    check (kind in ('contact', 'organization', 'ticket', 'message', 'media')) not valid;
