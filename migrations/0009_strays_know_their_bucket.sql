-- A bucket's row, with its credentials, stays as long as objects have to be removed from it. Those of a bucket that is
-- already unknown can be removed by nobody.
delete from stray_objects s
where bucket_id is not null and not exists (select from buckets b where b.id = s.bucket_id);
alter table stray_objects
  add constraint stray_objects_bucket_id_fkey foreign key (bucket_id) references buckets (id);

-- What failed comes after what was never tried: a storage that is gone for good would else take every turn.
drop index stray_objects_due;
create index stray_objects_turn on stray_objects (lease_until nulls first, due_at);
