-- What waits for a subscription is found by this index alone: see `isOfTarget` in src/webhooks/queries.ts.
drop index webhook_queue_due;
create index webhook_queue_due on webhook_queue (webhook_id, run_at);
