-- The device that log lines of an app call by this hash (`device_hash`), as far as a table knows it.
with known as (
    select device from lanes where app = $1
    union
    select device from receipts where app = $1
)
select device
from known
where left(encode(sha256(convert_to($1, 'UTF8') || '\x00'::bytea || convert_to(device, 'UTF8')), 'hex'), 12) = $2
limit 1
