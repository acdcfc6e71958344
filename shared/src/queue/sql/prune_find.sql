-- The next expired rows behind the last one seen.
select seq, app, device, expires_at
from notifications
where (expires_at, seq) > ($1, $2) and expires_at <= (select clock_timestamp())
order by expires_at, seq
limit $3
