#!/bin/sh
# Run once by the image of PostgreSQL, on an empty volume: the two roles, with the passwords of postgres.env.
set -eu
psql --no-psqlrc --username "$POSTGRES_USER" --dbname postgres \
    --set "owner_password=$OWNER_PASSWORD" --set "service_password=$SERVICE_PASSWORD" --file /sql/roles.sql
