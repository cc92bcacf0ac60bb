"""Indexes, checks and storage of bookings that no model states."""

from django.db import migrations

# Into the details of one product: an eSIM's ICCID and top-ups, a flight's PNR. One top-up of an eSIM is open at a time.
INDEXES = """
CREATE INDEX booking_by_iccid ON bookings_booking ((details #>> '{profile,iccid}'))
    WHERE (details #>> '{profile,iccid}') IS NOT NULL;
CREATE INDEX booking_by_pnr ON bookings_booking ((details ->> 'pnr'))
    WHERE product = 'flight' AND (details ->> 'pnr') IS NOT NULL;
CREATE INDEX booking_top_ups_of_order ON bookings_booking ((details #>> '{top_up_of,order_id}'), created_at)
    WHERE (details #>> '{top_up_of,order_id}') IS NOT NULL;
CREATE UNIQUE INDEX booking_one_open_top_up ON bookings_booking ((details #>> '{top_up_of,order_id}'))
    WHERE (details #>> '{top_up_of,order_id}') IS NOT NULL AND status = 'pending';
"""

# The models' checks in the form that costs least: PostgreSQL parses the text of a table's checks again with each statement that
# writes to it, and one array constant is shorter than what Django writes.
CHECKS = """
ALTER TABLE bookings_booking
    DROP CONSTRAINT booking_status_known,
    ADD CONSTRAINT booking_status_known
        CHECK (status = ANY ('{pending,confirmed,ticketed,provisioned,cancelled,failed}'));
ALTER TABLE bookings_operation
    DROP CONSTRAINT operation_state_known,
    ADD CONSTRAINT operation_state_known
        CHECK (state = ANY ('{held,calling,uncertain,confirmed,failed,review}')),
    DROP CONSTRAINT operation_kind_known,
    ADD CONSTRAINT operation_kind_known CHECK (kind = ANY ('{book,change,cancel,accept}'));
"""

# Nothing searches these with LIKE, and each new row would write into them. lz4 compresses in a tenth of pglz's time; a PostgreSQL
# built without it keeps pglz.
STORAGE = """
DROP INDEX bookings_booking_id_b4749f83_like, bookings_booking_reference_af3214d4_like,
    bookings_operation_booking_id_b5b90d75_like, bookings_operation_client_ref_852f988b_like,
    bookings_settlement_booking_id_27cec855_like;
DO $$ BEGIN
    ALTER TABLE bookings_booking ALTER COLUMN details SET COMPRESSION lz4;
    ALTER TABLE bookings_operation
        ALTER COLUMN request SET COMPRESSION lz4, ALTER COLUMN prepared SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("bookings", "0001_initial")]

    operations = [migrations.RunSQL([INDEXES, CHECKS, STORAGE], migrations.RunSQL.noop)]
