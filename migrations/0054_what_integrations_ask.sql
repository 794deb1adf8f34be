-- The first public message of a bot, which is no first reply of a person. Null for tickets of before.
alter table ticket_activity add column first_bot_reply_at timestamptz;

-- The API key with which a message was posted. No reference: a key can be deleted, and its messages stay as they are.
alter table messages add column key_id uuid;

-- Parameters of the query that the operation did not know.
alter table api_requests add column ignored text[] not null default '{}';

-- The delivery that this one repeats.
alter table webhook_queue add column redelivery_of_id uuid;
alter table webhook_deliveries add column redelivery_of_id uuid;
