-- Locks every lane of the call, new or not; even where the condition is false the row is locked, which orders the
-- call against a finish. A placeholder is never due.
insert into lanes (app, device, head, head_at, due_at)
select wanted.app, wanted.device, 0, 'infinity', 'infinity'
from unnest($1::text[], $2::text[]) as wanted (app, device)
order by wanted.app collate "C", wanted.device collate "C"
on conflict (app, device) do update set head = lanes.head where false
