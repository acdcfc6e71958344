-- no transaction
-- What an operator asks of one device: without these, inspect and forget would read whole tables. Built concurrently,
-- since enqueue writes to receipts all the time.

create index concurrently if not exists receipts_device on receipts (device, app, seq);
create index concurrently if not exists dismissals_device on dismissals (device, app);
create index concurrently if not exists dead_tokens_device on dead_tokens (device, app);
