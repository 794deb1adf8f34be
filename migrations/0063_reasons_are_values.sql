-- The reasons for failed exports and disputed payments are now stored as values and worded when displayed. Converts the sentences of older versions.

update exports set reason = case when reason like '%disk%full%' then 'storage_full' else 'not_written' end
where reason is not null;

update billing_mails set data = data - 'reason' || jsonb_build_object(
    'arrived', split_part(substr(data ->> 'reason', length('disputed: ') + 1), ' came for an order of ', 1),
    'ordered', split_part(data ->> 'reason', ' came for an order of ', 2))
where kind = 'payment_disputed' and data ? 'reason';
