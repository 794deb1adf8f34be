-- Object storage that files are kept in. One of a project takes its new files while it is active; one without a project is
-- the installation's, from the settings. A row stays, with its sealed credentials, as long as a file is in it: changing the
-- settings loses no file. `media.bucket_id` is null for files on the disk.
create table buckets (
  id uuid primary key,
  project_id uuid references projects (id) on delete cascade,
  endpoint text not null,
  bucket text not null,
  region text not null,
  path_style boolean not null,
  credentials bytea not null,
  is_active boolean not null default true,
  created_at timestamptz not null default now()
);
create unique index buckets_active on buckets (project_id) where is_active and project_id is not null;
create unique index buckets_place on buckets (endpoint, bucket) where project_id is null;

alter table media
  add column bucket_id uuid references buckets (id),
  add column storage_key text not null default '';
create index media_bucket on media (bucket_id) where bucket_id is not null;
create index media_expiry on media (expires_at) where message_id is null;
-- An address of a file in a conversation has no project.
create index media_address on media (id);

-- Objects in a storage that no file needs: of an upload that is under way or was broken off, and of a deleted file.
-- The row is written before the object, and goes in the transaction that makes the file.
create table stray_objects (
  storage_key text primary key,
  bucket_id uuid,
  due_at timestamptz not null,
  lease_until timestamptz
);
create index stray_objects_due on stray_objects (due_at);

create function leave_stray_object() returns trigger language plpgsql as $$
begin
  insert into stray_objects (storage_key, bucket_id, due_at) values (old.storage_key, old.bucket_id, now())
    on conflict do nothing;
  return null;
end $$;
create trigger media_deleted after delete on media
  for each row when (old.storage_key <> '') execute function leave_stray_object();
