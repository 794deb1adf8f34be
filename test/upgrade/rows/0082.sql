update outgoing_emails set sent_at = now(), save_at = now() + interval '10 minutes';
