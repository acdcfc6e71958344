select pauses.app, pauses.reason, pauses.paused_at, pauses.until
from unnest($1::text[]) as wanted (app)
join pauses on pauses.app = wanted.app
order by pauses.app
