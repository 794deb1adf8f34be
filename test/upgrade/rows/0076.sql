update contact_identities set is_undeliverable = true where type = 'email';
update incoming_mails set reported_message_id = (select id from messages order by id limit 1) where message_id is null;
