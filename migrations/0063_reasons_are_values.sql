-- Why an export failed, and what was wrong with a disputed payment, is worded where it is read. Sentences of older versions become values here.

update exports set reason = case when reason like '%disk%full%' then 'storage_full' else 'not_written' end
where reason is not null;

update billing_mails set data = data - 'reason' || jsonb_build_object(
    'arrived', split_part(substr(data ->> 'reason', length('disputed: ') + 1), ' came for an order of ', 1),
    'ordered', split_part(data ->> 'reason', ' came for an order of ', 2))
where kind = 'payment_disputed' and data ? 'reason';
