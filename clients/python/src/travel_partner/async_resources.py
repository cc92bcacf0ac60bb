"""The operations of AsyncTravelPartner.

Generated from the OpenAPI document by `make clients-generate`; changes by hand are lost.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import date, datetime
from typing import Literal

from travel_partner import models, pages
from travel_partner.calls import Call, given, located
from travel_partner.resource import AsyncResource


class AccountLedger(AsyncResource):
    """`client.account.ledger`."""

    async def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        type: Literal["top_up", "hold", "capture", "release", "refund", "adjustment"] | None = None,
        booking_reference: str | None = None,
        timeout: float | None = None,
    ) -> models.LedgerEntryList:
        """List ledger entries, newest first, with the balance.

        Scope `ledger:read`, rate class READ, free of the search quota.

        - `limit`: How many rows the page may have.
        - `cursor`: `nextCursor` of the page before, with the same filters. Left out: the first page. Any other value
          gets 400.
        - `type`: Only entries of this type.
        - `booking_reference`: Only entries of the booking with this reference, such as `H-7KQ2M9XD`, spelled exactly.
        """
        return await self._send(
            Call(
                "GET",
                "/v1/account/ledger",
                models.LedgerEntryList,
                query=given(
                    {"limit": limit, "cursor": cursor, "type": type, "bookingReference": booking_reference}
                ),
                timeout=timeout,
            )
        )

    def iterate(
        self,
        *,
        limit: int | None = None,
        type: Literal["top_up", "hold", "capture", "release", "refund", "adjustment"] | None = None,
        booking_reference: str | None = None,
        timeout: float | None = None,
    ) -> AsyncIterator[models.LedgerEntry]:
        """All items of `list`, page by page; `limit` is the size of a page.

        - `type`: Only entries of this type.
        - `booking_reference`: Only entries of the booking with this reference, such as `H-7KQ2M9XD`, spelled exactly.
        """
        return pages.aby_cursor(
            lambda cursor: self.list(
                cursor=cursor, limit=limit, type=type, booking_reference=booking_reference, timeout=timeout
            )
        )


class AccountStatements(AsyncResource):
    """`client.account.statements`."""

    async def list(
        self,
        *,
        timeout: float | None = None,
    ) -> models.AccountStatementList:
        """List the months that have a statement, newest first.

        Scope `ledger:read`, rate class READ, free of the search quota.
        """
        return await self._send(
            Call("GET", "/v1/account/statements", models.AccountStatementList, timeout=timeout)
        )

    async def get(
        self,
        month: str,
        *,
        timeout: float | None = None,
    ) -> models.AccountStatement:
        """Read the statement of a month: opening balance, movements, closing balance.

        A month runs from its first day, 00:00 UTC, to the next month's. It is closed one hour after its end and never
        changes then. A month before the account's first and a future month get 404.

        Scope `ledger:read`, rate class READ, free of the search quota.

        - `month`: The month, `YYYY-MM`, of the account's statements.
        """
        return await self._send(
            Call(
                "GET",
                located("/v1/account/statements/{month}", month=month),
                models.AccountStatement,
                timeout=timeout,
            )
        )

    async def download(
        self,
        month: str,
        *,
        format: Literal["csv", "pdf"],
        timeout: float | None = None,
    ) -> bytes:
        """Read the statement of a month: opening balance, movements, closing balance, as a file.

        - `month`: The month, `YYYY-MM`, of the account's statements.
        """
        return await self._send(
            Call(
                "GET",
                located("/v1/account/statements/{month}", month=month),
                bytes,
                query=given({"format": format}),
                timeout=timeout,
            )
        )


class Account(AsyncResource):
    """`client.account`."""

    def __init__(self, send: AsyncResource.Send) -> None:
        super().__init__(send)
        self.ledger = AccountLedger(send)
        self.statements = AccountStatements(send)

    async def get(
        self,
        *,
        timeout: float | None = None,
    ) -> models.Account:
        """Read the account, its balance, the calling key and its limits.

        Proves that a key is valid.

        Scope `account:read`, rate class READ, free of the search quota.
        """
        return await self._send(Call("GET", "/v1/account", models.Account, timeout=timeout))

    async def usage(
        self,
        *,
        from_: date | None = None,
        to: date | None = None,
        timeout: float | None = None,
    ) -> models.SearchUsage:
        """Count billable searches by UTC day, product and key, as on an invoice.

        Scope `ledger:read`, rate class READ, free of the search quota.

        - `from_`: The first UTC day to count, itself included, `YYYY-MM-DD`. Left out: 29 days before `to`.
        - `to`: The last UTC day to count, itself included, `YYYY-MM-DD`: 92 days at most with `from`. Left out:
          today.
        """
        return await self._send(
            Call(
                "GET",
                "/v1/account/usage",
                models.SearchUsage,
                query=given({"from": from_, "to": to}),
                timeout=timeout,
            )
        )


class Operations(AsyncResource):
    """`client.operations`."""

    async def find(
        self,
        *,
        idempotency_key: str,
        timeout: float | None = None,
    ) -> models.CallOutcome:
        """Look up the outcome of a POST by its Idempotency-Key.

        Reports the current state: while the call runs, after a lost response or a crash, and after the key's 24 hours
        for as long as the booking is known. `next` names the one safe next step; following it repeatedly ends with
        exactly one booking. A key that was used before needs the scope of its operation (403 `insufficient_scope`).
        An unknown key is not an error: its state is `not_seen`, and a copy of the request that is still in transit
        may yet arrive.

        Any scope, rate class READ, free of the search quota.

        - `idempotency_key`: The `Idempotency-Key` that the request was sent with.
        """
        return await self._send(
            Call(
                "GET",
                "/v1/operations",
                models.CallOutcome,
                query=given({"idempotencyKey": idempotency_key}),
                timeout=timeout,
            )
        )


class Places(AsyncResource):
    """`client.places`."""

    async def search(
        self,
        *,
        query: str | None = None,
        types: str | None = None,
        country_code: str | None = None,
        near: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> models.Places:
        """Search places as a user types.

        Finds cities, airports, hotels and landmarks by name in any language, with or without accents, from a prefix,
        and with one typing mistake. Free of charge and fast enough to call on each keystroke. Hotel searches take a
        `placeId` as their destination; flights and transfers take the `code`.

        Scope `hotels:search` or `flights:search` or `transfers:search`, rate class READ, free of the search quota.

        - `query`: What your user typed, in any language and alphabet: a name or the beginning of one, `Paris,
          France`, or an IATA code. At least one letter or digit. Required unless `near` is sent.
        - `types`: Only places of these types, separated by commas: `city`, `airport`, `hotel`, `landmark`. Left out:
          all.
        - `country_code`: Only places in this country. ISO 3166-1 alpha-2 code in capitals, such as `PT`; `XK` is
          Kosovo.
        - `near`: Latitude and longitude in degrees, separated by a comma. With `query`: nearer places rank higher.
          Without: the nearest places.
        - `limit`: How many places the answer may have.
        """
        return await self._send(
            Call(
                "GET",
                "/v1/places",
                models.Places,
                query=given(
                    {
                        "query": query,
                        "types": types,
                        "countryCode": country_code,
                        "near": near,
                        "limit": limit,
                    }
                ),
                timeout=timeout,
            )
        )


class Bookings(AsyncResource):
    """`client.bookings`."""

    async def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        trip_reference: str | None = None,
        product: Literal["hotel", "flight", "transfer", "esim"] | None = None,
        status: Literal[
            "pending",
            "awaiting_approval",
            "on_hold",
            "confirmed",
            "ticketed",
            "provisioned",
            "cancelled",
            "failed",
        ]
        | None = None,
        updated_since: datetime | None = None,
        service_from: date | None = None,
        service_to: date | None = None,
        timeout: float | None = None,
    ) -> models.AnyBookingList:
        """List the bookings of all products, newest first.

        One list across the products whose bookings the key may read. Each booking has the form of its product's own
        list, plus `bookingType`. `tripReference` finds all bookings of a trip; `serviceFrom` and `serviceTo` find
        those that begin on given days.

        Scope `hotels:book` or `flights:book` or `transfers:book` or `esim:read`, rate class READ, free of the search
        quota.

        - `limit`: How many rows the page may have.
        - `cursor`: `nextCursor` of the page before, with the same filters. Left out: the first page. Any other value
          gets 400.
        - `trip_reference`: Only bookings of the trip with this reference of your own, spelled exactly.
        - `product`: Only bookings of this product. Left out: all products that the key may read.
        - `status`: Only bookings that have this status now.
        - `updated_since`: Only bookings that changed at this instant or later, RFC 3339, not in the future. The list
          is then ordered by `updatedAt`, oldest first. A change appears about five seconds later. To continue, send
          the last `updatedAt` that you read: bookings that changed at that instant are repeated, and none is missed.
        - `service_from`: Only bookings whose first service begins on this day or later, `YYYY-MM-DD`, in local time:
          the day of arrival at a hotel, of the first flight or of the first ride. eSIM orders have no such day and
          are left out.
        - `service_to`: Only bookings whose first service begins on this day or earlier, as `serviceFrom` has it.
        """
        return await self._send(
            Call(
                "GET",
                "/v1/bookings",
                models.AnyBookingList,
                query=given(
                    {
                        "limit": limit,
                        "cursor": cursor,
                        "tripReference": trip_reference,
                        "product": product,
                        "status": status,
                        "updatedSince": updated_since,
                        "serviceFrom": service_from,
                        "serviceTo": service_to,
                    }
                ),
                timeout=timeout,
            )
        )

    def iterate(
        self,
        *,
        limit: int | None = None,
        trip_reference: str | None = None,
        product: Literal["hotel", "flight", "transfer", "esim"] | None = None,
        status: Literal[
            "pending",
            "awaiting_approval",
            "on_hold",
            "confirmed",
            "ticketed",
            "provisioned",
            "cancelled",
            "failed",
        ]
        | None = None,
        updated_since: datetime | None = None,
        service_from: date | None = None,
        service_to: date | None = None,
        timeout: float | None = None,
    ) -> AsyncIterator[
        models.ListedHotelBooking
        | models.ListedFlightOrder
        | models.ListedTransferOrder
        | models.ListedEsimOrder
    ]:
        """All items of `list`, page by page; `limit` is the size of a page.

        - `trip_reference`: Only bookings of the trip with this reference of your own, spelled exactly.
        - `product`: Only bookings of this product. Left out: all products that the key may read.
        - `status`: Only bookings that have this status now.
        - `updated_since`: Only bookings that changed at this instant or later, RFC 3339, not in the future. The list
          is then ordered by `updatedAt`, oldest first. A change appears about five seconds later. To continue, send
          the last `updatedAt` that you read: bookings that changed at that instant are repeated, and none is missed.
        - `service_from`: Only bookings whose first service begins on this day or later, `YYYY-MM-DD`, in local time:
          the day of arrival at a hotel, of the first flight or of the first ride. eSIM orders have no such day and
          are left out.
        - `service_to`: Only bookings whose first service begins on this day or earlier, as `serviceFrom` has it.
        """
        return pages.aby_cursor(
            lambda cursor: self.list(
                cursor=cursor,
                limit=limit,
                trip_reference=trip_reference,
                product=product,
                status=status,
                updated_since=updated_since,
                service_from=service_from,
                service_to=service_to,
                timeout=timeout,
            )
        )


class Trips(AsyncResource):
    """`client.trips`."""

    async def document(
        self,
        *,
        trip_reference: str,
        type: Literal["voucher", "receipt", "itinerary"] | None = None,
        format: Literal["pdf", "html"] | None = None,
        language: str | None = None,
        prices: Literal["none", "net", "sold"] | None = None,
        timeout: float | None = None,
    ) -> bytes:
        """Get one document of all bookings of a trip.

        An overview, then each booking in the order in which the services begin, in local time; each voucher is on a
        page of its own. It covers the products whose bookings the key may read. Bookings without such a document are
        left out: those that are pending, on hold or failed, cancelled ones unless it is a receipt, and those whose
        travellers were erased. 409 `conflict` if none is left, and for more than 50 bookings.

        Scope `hotels:book` or `flights:book` or `transfers:book` or `esim:read`, rate class READ, free of the search
        quota.

        - `trip_reference`: Your own reference of the trip, spelled exactly.
        - `type`: `voucher`: what a hotel or a driver asks for, the confirmation of a flight, the code of an eSIM.
          `itinerary`: when and where, without terms. `receipt`: the payment, and the refund if it was cancelled.
        - `format`: `pdf` (A4) or `html`, a self-contained page. The `Accept` header is ignored.
        - `language`: A language tag such as `de` or `pt-BR`. Documents exist in en, de, fr, es, pt and it; in another
          language they are in English. What hotels and suppliers wrote stays as it is.
        - `prices`: `none`: no price, and a receipt states that it was paid. `net`: what you pay. `sold`: the
          booking's `soldForCents`; 409 if it has none.
        """
        return await self._send(
            Call(
                "GET",
                "/v1/trips/document",
                bytes,
                query=given(
                    {
                        "tripReference": trip_reference,
                        "type": type,
                        "format": format,
                        "language": language,
                        "prices": prices,
                    }
                ),
                timeout=timeout,
            )
        )


class HotelsSearches(AsyncResource):
    """`client.hotels.searches`."""

    async def get(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> models.HotelSearch:
        """Read a hotel search again, for 24 hours. Free.

        Rates are not priced again: they are those of the search and expire as stated there. Without parameters you
        get the search response again; with `cursor`, the following hotels.

        Scope `hotels:search`, rate class READ, free of the search quota.

        - `id`: The search's id, `hsr_…`, from a search of the last 24 hours.
        - `limit`: How many hotels the page may have. Left out: the search's `pageSize`, or all if it had none.
        - `cursor`: `nextCursor` of the page before. Left out: the first page. A cursor of another search gets 400.
        """
        return await self._send(
            Call(
                "GET",
                located("/v1/hotels/searches/{id}", id=id),
                models.HotelSearch,
                query=given({"limit": limit, "cursor": cursor}),
                timeout=timeout,
            )
        )


class HotelsRates(AsyncResource):
    """`client.hotels.rates`."""

    async def get(
        self,
        rate_id: str,
        *,
        customer_ref: str | None = None,
        timeout: float | None = None,
    ) -> models.QuotedHotelRate:
        """Read a rate as it was quoted. Free.

        Scope `hotels:search`, rate class READ, free of the search quota.

        - `rate_id`: The rate's `rateId`, `rate_…`, from a search of the last 20 minutes.
        """
        return await self._send(
            Call(
                "GET",
                located("/v1/hotels/rates/{rateId}", rateId=rate_id),
                models.QuotedHotelRate,
                customer_ref=customer_ref,
                timeout=timeout,
            )
        )


class HotelsProperties(AsyncResource):
    """`client.hotels.properties`."""

    async def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        country_code: str | None = None,
        city: str | None = None,
        updated_since: datetime | None = None,
        timeout: float | None = None,
    ) -> models.HotelPropertySummaryList:
        """List hotels with their facts. Free.

        From our catalogue, ordered by when their content changed, oldest first. It includes hotels without
        coordinates, which no search finds. Read one by its `hotelId` for its texts, rooms, facilities and policies.

        Scope `hotels:search`, rate class READ, free of the search quota.

        - `limit`: How many rows the page may have.
        - `cursor`: `nextCursor` of the page before, with the same filters. Left out: the first page. Any other value
          gets 400.
        - `country_code`: Only hotels in this country. ISO 3166-1 alpha-2 code in capitals, such as `PT`; `XK` is
          Kosovo.
        - `city`: Only hotels in a city of this name, without regard to case and accents. Large cities are known by
          their names in other languages as well. Send `countryCode` too if there are several of that name.
        - `updated_since`: Only hotels whose content changed at this instant or later, RFC 3339, not in the future.
          Hotels that were withdrawn are included, with `deleted: true`. A change appears about five seconds later. To
          continue, send the last `updatedAt` that you read: hotels that changed at that instant are repeated, and
          none is missed.
        """
        return await self._send(
            Call(
                "GET",
                "/v1/hotels/properties",
                models.HotelPropertySummaryList,
                query=given(
                    {
                        "limit": limit,
                        "cursor": cursor,
                        "countryCode": country_code,
                        "city": city,
                        "updatedSince": updated_since,
                    }
                ),
                timeout=timeout,
            )
        )

    def iterate(
        self,
        *,
        limit: int | None = None,
        country_code: str | None = None,
        city: str | None = None,
        updated_since: datetime | None = None,
        timeout: float | None = None,
    ) -> AsyncIterator[models.HotelPropertySummary]:
        """All items of `list`, page by page; `limit` is the size of a page.

        - `country_code`: Only hotels in this country. ISO 3166-1 alpha-2 code in capitals, such as `PT`; `XK` is
          Kosovo.
        - `city`: Only hotels in a city of this name, without regard to case and accents. Large cities are known by
          their names in other languages as well. Send `countryCode` too if there are several of that name.
        - `updated_since`: Only hotels whose content changed at this instant or later, RFC 3339, not in the future.
          Hotels that were withdrawn are included, with `deleted: true`. A change appears about five seconds later. To
          continue, send the last `updatedAt` that you read: hotels that changed at that instant are repeated, and
          none is missed.
        """
        return pages.aby_cursor(
            lambda cursor: self.list(
                cursor=cursor,
                limit=limit,
                country_code=country_code,
                city=city,
                updated_since=updated_since,
                timeout=timeout,
            )
        )

    async def get(
        self,
        hotel_id: str,
        *,
        language: str | None = None,
        timeout: float | None = None,
    ) -> models.HotelProperty:
        """Read a hotel: texts, pictures, facilities, rooms and policies. Free.

        In the requested language, if the hotel has a description in it. The first read of a hotel in a language may
        take a few seconds.

        Scope `hotels:search`, rate class READ, free of the search quota.

        - `hotel_id`: The hotel's `hotelId`, from a search or a list.
        - `language`: The language of all texts, such as `de` or `pt-BR`, of which the first part counts, in any case.
          If left out, or if the hotel has no description in it: English, and `language` is `en`.
        """
        return await self._send(
            Call(
                "GET",
                located("/v1/hotels/properties/{hotelId}", hotelId=hotel_id),
                models.HotelProperty,
                query=given({"language": language}),
                timeout=timeout,
            )
        )


class HotelsBookings(AsyncResource):
    """`client.hotels.bookings`."""

    async def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        external_reference: str | None = None,
        trip_reference: str | None = None,
        status: Literal["pending", "awaiting_approval", "confirmed", "cancelled", "failed"] | None = None,
        updated_since: datetime | None = None,
        timeout: float | None = None,
    ) -> models.HotelBookingList:
        """List hotel bookings, newest first.

        Scope `hotels:book`, rate class READ, free of the search quota.

        - `limit`: How many rows the page may have.
        - `cursor`: `nextCursor` of the page before, with the same filters. Left out: the first page. Any other value
          gets 400.
        - `external_reference`: Only bookings with this reference of your own, spelled exactly.
        - `trip_reference`: Only bookings of the trip with this reference of your own, spelled exactly.
        - `status`: Only bookings that have this status now.
        - `updated_since`: Only bookings that changed at this instant or later, RFC 3339, not in the future. The list
          is then ordered by `updatedAt`, oldest first. A change appears about five seconds later. To continue, send
          the last `updatedAt` that you read: bookings that changed at that instant are repeated, and none is missed.
        """
        return await self._send(
            Call(
                "GET",
                "/v1/hotels/bookings",
                models.HotelBookingList,
                query=given(
                    {
                        "limit": limit,
                        "cursor": cursor,
                        "externalReference": external_reference,
                        "tripReference": trip_reference,
                        "status": status,
                        "updatedSince": updated_since,
                    }
                ),
                timeout=timeout,
            )
        )

    def iterate(
        self,
        *,
        limit: int | None = None,
        external_reference: str | None = None,
        trip_reference: str | None = None,
        status: Literal["pending", "awaiting_approval", "confirmed", "cancelled", "failed"] | None = None,
        updated_since: datetime | None = None,
        timeout: float | None = None,
    ) -> AsyncIterator[models.HotelBooking]:
        """All items of `list`, page by page; `limit` is the size of a page.

        - `external_reference`: Only bookings with this reference of your own, spelled exactly.
        - `trip_reference`: Only bookings of the trip with this reference of your own, spelled exactly.
        - `status`: Only bookings that have this status now.
        - `updated_since`: Only bookings that changed at this instant or later, RFC 3339, not in the future. The list
          is then ordered by `updatedAt`, oldest first. A change appears about five seconds later. To continue, send
          the last `updatedAt` that you read: bookings that changed at that instant are repeated, and none is missed.
        """
        return pages.aby_cursor(
            lambda cursor: self.list(
                cursor=cursor,
                limit=limit,
                external_reference=external_reference,
                trip_reference=trip_reference,
                status=status,
                updated_since=updated_since,
                timeout=timeout,
            )
        )

    async def create(
        self,
        *,
        rate_id: str,
        guests: Sequence[models.HotelGuestInput],
        contact: models.ContactInput,
        external_reference: str | None = None,
        trip_reference: str | None = None,
        sold_for_cents: int | None = None,
        special_requests: str | None = None,
        max_total_cents: int | None = None,
        customer_ref: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.HotelBooking:
        """Book a hotel rate.

        The funds are held before the hotel is called, and captured once it confirms.

        Scope `hotels:book`, rate class BOOKING, free of the search quota.

        - `rate_id`: The rate to book, `rate_…`, from a search of the last 20 minutes. Later: 410 `offer_expired`.
        - `guests`: All guests. At least one adult per room, and no more adults or children than in the search.
        - `contact`: How the hotel reaches the guests.
        - `external_reference`: Your own reference for the booking, 1 to 64 printable characters; spaces at its ends
          are cut off. A second booking with the reference of one that has not failed is refused with 409 `conflict`,
          which names the first one's `bookingId`. `null` is the same as none.
        - `trip_reference`: Your own reference for the trip that the booking belongs to, 1 to 64 printable characters;
          spaces at its ends are cut off. Any number of bookings of any product may share it. `GET /v1/bookings` lists
          all of a trip. `null` is the same as none.
        - `sold_for_cents`: What your customer pays you for it. It is printed on the booking's documents with
          `prices=sold`; nothing else uses it, and no money moves by it. In minor units of your account's currency.
        - `special_requests`: A request to the hotel in plain words, such as a quiet room. It is passed on; the hotel
          may not fulfil it.
        - `max_total_cents`: The most that the booking may cost. Left out: the quoted `totalCents`. If the price is
          higher: 409 `price_changed`, and nothing is booked. In minor units of your account's currency.
        """
        return await self._send(
            Call(
                "POST",
                "/v1/hotels/bookings",
                models.HotelBooking,
                body=given(
                    {
                        "rateId": rate_id,
                        "guests": guests,
                        "contact": contact,
                        "externalReference": external_reference,
                        "tripReference": trip_reference,
                        "soldForCents": sold_for_cents,
                        "specialRequests": special_requests,
                        "maxTotalCents": max_total_cents,
                    }
                ),
                customer_ref=customer_ref,
                idempotency_key=idempotency_key,
                timeout=timeout,
            )
        )

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> models.HotelBooking:
        """Read a hotel booking.

        Scope `hotels:book`, rate class READ, free of the search quota.

        - `id`: The booking's id, `hbk_…`.
        """
        return await self._send(
            Call("GET", located("/v1/hotels/bookings/{id}", id=id), models.HotelBooking, timeout=timeout)
        )

    async def cancel(
        self,
        id: str,
        *,
        reason: str | None = None,
        max_penalty_cents: int | None = None,
        cancellation_quote_id: str | None = None,
        customer_ref: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.HotelBooking:
        """Cancel a hotel booking.

        An empty body cancels at any penalty, up to the whole price: send `maxPenaltyCents` to cap it, or the
        `cancellationQuoteId` of a quote. The penalty is that of `cancellationSteps` at this moment; a non-refundable
        booking costs its whole price.

        Scope `hotels:book`, rate class BOOKING, free of the search quota.

        - `id`: The booking's id, `hbk_…`.
        - `reason`: The reason, for your own records; the booking shows it. It is not sent to the supplier.
        - `max_penalty_cents`: The highest penalty that you accept. Above it: 409 `conflict` with `penaltyCents`, and
          nothing is cancelled. Left out: any penalty, up to the whole price. In minor units of your account's
          currency.
        - `cancellation_quote_id`: A cancellation quote of this booking, `cq_…`. Cancelling then costs what was
          quoted, or less. 410 `offer_expired` once it has expired or was replaced by a newer one; 409 `conflict` with
          `penaltyCents` if the penalty has risen. Nothing is cancelled then.
        """
        return await self._send(
            Call(
                "POST",
                located("/v1/hotels/bookings/{id}/cancel", id=id),
                models.HotelBooking,
                body=given(
                    {
                        "reason": reason,
                        "maxPenaltyCents": max_penalty_cents,
                        "cancellationQuoteId": cancellation_quote_id,
                    }
                ),
                customer_ref=customer_ref,
                idempotency_key=idempotency_key,
                timeout=timeout,
            )
        )

    async def change_options(
        self,
        id: str,
        *,
        check_in: date | None = None,
        check_out: date | None = None,
        rooms: Sequence[models.HotelRoomInput] | None = None,
        customer_ref: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.HotelChangeOptions:
        """Price other dates or rooms for a hotel booking.

        Nothing is changed and no money moves; an option can be confirmed for 20 minutes at most. 409: the booking is
        not confirmed or not refundable, a change is in progress, or the stay has begun.

        Scope `hotels:book`, rate class BOOKING, free of the search quota.

        - `id`: The booking's id, `hbk_…`.
        - `check_in`: The new day of arrival, not in the past by the hotel's local date. `YYYY-MM-DD`, from yesterday
          to 540 days ahead, counted in UTC.
        - `check_out`: The new day of departure, after `checkIn`, 30 nights later at most. `YYYY-MM-DD`, from
          yesterday to 540 days ahead, counted in UTC.
        - `rooms`: The new rooms. Each needs an adult of the booking, and every guest of the booking a place: children
          by their ages.
        """
        return await self._send(
            Call(
                "POST",
                located("/v1/hotels/bookings/{id}/change-options", id=id),
                models.HotelChangeOptions,
                body=given({"checkIn": check_in, "checkOut": check_out, "rooms": rooms}),
                customer_ref=customer_ref,
                idempotency_key=idempotency_key,
                timeout=timeout,
            )
        )

    async def change(
        self,
        id: str,
        *,
        change_id: str,
        max_total_cents: int | None = None,
        customer_ref: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.ChangedHotelBooking:
        """Change the dates or rooms of a hotel booking.

        The new stay is booked first, then the old one is cancelled. The cost is held before the hotel is called.
        `settled: false` means that the stay is changed and a difference in your favour will be credited shortly. 503:
        the booking shows `changeUnderWay` until the outcome is known; you are charged for one stay in any case.

        Scope `hotels:book`, rate class BOOKING, free of the search quota.

        - `id`: The booking's id, `hbk_…`.
        - `change_id`: The option, `change_…`, 20 minutes old at most. An older or unknown one: 410 `offer_expired`.
        - `max_total_cents`: The most that the booking may cost after the change: its `totalCents` with the option's
          `differenceCents`. Left out: as quoted. If the price is higher: 409 `price_changed`, and nothing is changed.
          In minor units of your account's currency.
        """
        return await self._send(
            Call(
                "POST",
                located("/v1/hotels/bookings/{id}/change", id=id),
                models.ChangedHotelBooking,
                body=given({"changeId": change_id, "maxTotalCents": max_total_cents}),
                customer_ref=customer_ref,
                idempotency_key=idempotency_key,
                timeout=timeout,
            )
        )

    async def cancellation_quote(
        self,
        id: str,
        *,
        customer_ref: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.CancellationQuote:
        """Quote the cancellation of a hotel booking.

        Nothing is cancelled and no money moves. Cancelling with the quote's id costs what was quoted, or less. 409:
        the booking is not active, or its supplier gives no cost.

        Scope `hotels:book`, rate class BOOKING, free of the search quota.

        - `id`: The booking's id, `hbk_…`.
        """
        return await self._send(
            Call(
                "POST",
                located("/v1/hotels/bookings/{id}/cancellation-quote", id=id),
                models.CancellationQuote,
                body=given({}),
                customer_ref=customer_ref,
                idempotency_key=idempotency_key,
                timeout=timeout,
            )
        )

    async def correct_guest(
        self,
        id: str,
        *,
        guest: int,
        first_name: str,
        last_name: str,
        customer_ref: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.HotelBooking:
        """Request a correction of the lead guest's name.

        No money moves. The supplier's staff handle the request; the response is the booking with `correction`. Once
        the hotel has the name, `guests` shows it and `booking.supplier_changed` is sent. 409: the booking is not
        active, the stay is over, or another correction is open.

        Scope `hotels:book`, rate class BOOKING, free of the search quota.

        - `id`: The booking's id, `hbk_…`.
        - `guest`: The guest: an index into the booking's `guests`, from 0. Suppliers correct the lead guest only, the
          first adult; any other: 409 `conflict`.
        - `first_name`: The given name, as in the guest's passport.
        - `last_name`: The family name, as in the guest's passport.
        """
        return await self._send(
            Call(
                "POST",
                located("/v1/hotels/bookings/{id}/correct-guest", id=id),
                models.HotelBooking,
                body=given({"guest": guest, "firstName": first_name, "lastName": last_name}),
                customer_ref=customer_ref,
                idempotency_key=idempotency_key,
                timeout=timeout,
            )
        )

    async def document(
        self,
        id: str,
        *,
        type: Literal["voucher", "receipt", "itinerary"] | None = None,
        format: Literal["pdf", "html"] | None = None,
        language: str | None = None,
        prices: Literal["none", "net", "sold"] | None = None,
        timeout: float | None = None,
    ) -> bytes:
        """Get the voucher, the itinerary or the receipt of a hotel booking.

        As a PDF or a web page, in six languages, in your account's name. 409 `conflict` until the booking is
        confirmed. A cancelled booking has a receipt with its refund. Documents of test bookings are marked as not
        valid for travel.

        Scope `hotels:book`, rate class READ, free of the search quota.

        - `id`: The booking's id, `hbk_…`.
        - `type`: `voucher`: what a hotel or a driver asks for, the confirmation of a flight, the code of an eSIM.
          `itinerary`: when and where, without terms. `receipt`: the payment, and the refund if it was cancelled.
        - `format`: `pdf` (A4) or `html`, a self-contained page. The `Accept` header is ignored.
        - `language`: A language tag such as `de` or `pt-BR`. Documents exist in en, de, fr, es, pt and it; in another
          language they are in English. What hotels and suppliers wrote stays as it is.
        - `prices`: `none`: no price, and a receipt states that it was paid. `net`: what you pay. `sold`: the
          booking's `soldForCents`; 409 if it has none.
        """
        return await self._send(
            Call(
                "GET",
                located("/v1/hotels/bookings/{id}/document", id=id),
                bytes,
                query=given({"type": type, "format": format, "language": language, "prices": prices}),
                timeout=timeout,
            )
        )


class Hotels(AsyncResource):
    """`client.hotels`."""

    def __init__(self, send: AsyncResource.Send) -> None:
        super().__init__(send)
        self.searches = HotelsSearches(send)
        self.rates = HotelsRates(send)
        self.properties = HotelsProperties(send)
        self.bookings = HotelsBookings(send)

    async def search(
        self,
        *,
        destination: models.HotelDestinationInput | None = None,
        hotel_ids: Sequence[str] | None = None,
        location: models.HotelLocationInput | None = None,
        check_in: date | None = None,
        check_out: date | None = None,
        rooms: Sequence[models.HotelRoomInput] | None = None,
        guest_nationality: str | None = None,
        refundable_only: bool | None = None,
        max_total_cents: int | None = None,
        stars: Sequence[int] | None = None,
        boards: Sequence[Literal["RO", "BB", "HB", "FB", "AI"]] | None = None,
        facilities: Sequence[
            Literal[
                "wifi",
                "valet_parking",
                "ev_charging",
                "parking",
                "indoor_pool",
                "outdoor_pool",
                "pool",
                "hot_tub",
                "sauna",
                "spa",
                "massage",
                "gym",
                "restaurant",
                "bar",
                "breakfast",
                "room_service",
                "air_conditioning",
                "heating",
                "pets_allowed",
                "airport_shuttle",
                "shuttle",
                "reception_24h",
                "wheelchair_accessible",
                "family_rooms",
                "non_smoking_rooms",
                "lift",
                "luggage_storage",
                "safe",
                "laundry",
                "bicycle_rental",
                "car_rental",
                "meeting_rooms",
                "business_center",
                "concierge",
                "butler",
                "tour_desk",
                "babysitting",
                "kids_club",
                "playground",
                "kitchen",
                "barbecue",
                "garden",
                "terrace",
                "beach",
                "tennis",
                "golf",
                "ski_storage",
            ]
        ]
        | None = None,
        min_review_score: float | None = None,
        name: str | None = None,
        sort: Literal["price", "review_score", "stars", "distance"] | None = None,
        language: str | None = None,
        limit: int | None = None,
        page_size: int | None = None,
        customer_ref: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.HotelSearch:
        """Search hotels.

        Returns once prices have settled; each rate can be booked for about 20 minutes. An empty body searches
        featured cities, 30 days ahead, for one night and two adults.

        Scope `hotels:search`, rate class SEARCH, counts against the search quota.

        - `destination`: A city, a country or a place to search in.
        - `hotel_ids`: Hotels to search, by the `hotelId` of an earlier response.
        - `location`: A circle on the map to search in.
        - `check_in`: The day of arrival. Left out: the day before `checkOut`, or 30 days ahead if that is left out
          too. `YYYY-MM-DD`, from yesterday to 540 days ahead, counted in UTC.
        - `check_out`: The day of departure, after `checkIn`, 30 nights later at most. Left out: the day after
          `checkIn`. `YYYY-MM-DD`, from yesterday to 540 days ahead, counted in UTC.
        - `rooms`: One entry for each room that is needed. Left out: one room for two adults. A rate covers all of
          them.
        - `guest_nationality`: The guests' nationality: some hotels sell at another price to residents. ISO 3166-1
          alpha-2 code in capitals, such as `PT`; `XK` is Kosovo.
        - `refundable_only`: `true`: only rates with a cancellation that costs less than the whole price.
        - `max_total_cents`: Leave out rates whose `totalCents` is above this. In minor units of your account's
          currency.
        - `stars`: Only hotels with one of these numbers of stars. A half star counts as none: 4.5 is 4.
        - `boards`: Only rates with one of these boards, by `board.code`.
        - `facilities`: Only hotels with all of these facilities. A hotel whose facilities are not known has none.
        - `min_review_score`: Only hotels with this `reviewScore` or a better one. One without a score has none.
        - `name`: Only hotels with this in their name. Capitals, accents and punctuation are ignored.
        - `sort`: The order of the hotels, and which of them `limit` keeps: the cheapest first (by the cheapest rate),
          the best `reviewScore`, the most `stars`, or the nearest to the centre of `location`, which is then
          required. Left out: the supplier's order.
        - `language`: The language of descriptions, amenities and names of rooms, such as `de` or `pt-BR`, of which
          the first part counts. A hotel that is not described in it yet has them in English. If no hotel has a
          description in it: English, and `language` in the response is `en`.
        - `limit`: How many hotels the search may find.
        - `page_size`: How many of them this response may have. Read the others by `nextCursor`, free. Left out: all.
        """
        return await self._send(
            Call(
                "POST",
                "/v1/hotels/searches",
                models.HotelSearch,
                body=given(
                    {
                        "destination": destination,
                        "hotelIds": hotel_ids,
                        "location": location,
                        "checkIn": check_in,
                        "checkOut": check_out,
                        "rooms": rooms,
                        "guestNationality": guest_nationality,
                        "refundableOnly": refundable_only,
                        "maxTotalCents": max_total_cents,
                        "stars": stars,
                        "boards": boards,
                        "facilities": facilities,
                        "minReviewScore": min_review_score,
                        "name": name,
                        "sort": sort,
                        "language": language,
                        "limit": limit,
                        "pageSize": page_size,
                    }
                ),
                customer_ref=customer_ref,
                idempotency_key=idempotency_key,
                timeout=timeout,
            )
        )

    async def min_rates(
        self,
        *,
        from_: date,
        to: date,
        hotel_ids: Sequence[str] | None = None,
        destination: models.HotelDestinationInput | None = None,
        nights: int | None = None,
        rooms: Sequence[models.HotelRoomInput] | None = None,
        guest_nationality: str | None = None,
        customer_ref: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.HotelMinRates:
        """Find the cheapest dates of hotels.

        The lowest price of each hotel for each day of arrival, for lists and calendars; search to see the terms and
        to book. Every seven days or part of them count as one search of the quota. Days for which the supplier does
        not respond in time are counted in `withheld`; if it responds for none, nothing is billed.

        Scope `hotels:search`, rate class SEARCH, counts against the search quota.

        - `from_`: The first day of arrival. `YYYY-MM-DD`, from yesterday to 540 days ahead, counted in UTC.
        - `to`: The last day of arrival; 31 days at most with the first. Every seven days or part of them count as one
          search. `YYYY-MM-DD`, from yesterday to 540 days ahead, counted in UTC.
        - `hotel_ids`: The hotels to compare, by the `hotelId` of a search. Send either these or `destination`.
        - `destination`: A place to compare hotels in: its 50 best known ones.
        - `nights`: How long each stay is.
        - `rooms`: One entry for each room that is needed. Left out: one room for two adults. A price covers all of
          them.
        - `guest_nationality`: The guests' nationality: some hotels sell at another price to residents. ISO 3166-1
          alpha-2 code in capitals, such as `PT`; `XK` is Kosovo.
        """
        return await self._send(
            Call(
                "POST",
                "/v1/hotels/min-rates",
                models.HotelMinRates,
                body=given(
                    {
                        "from": from_,
                        "to": to,
                        "hotelIds": hotel_ids,
                        "destination": destination,
                        "nights": nights,
                        "rooms": rooms,
                        "guestNationality": guest_nationality,
                    }
                ),
                customer_ref=customer_ref,
                idempotency_key=idempotency_key,
                timeout=timeout,
            )
        )


class FlightsSearches(AsyncResource):
    """`client.flights.searches`."""

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> models.FlightSearchResponse:
        """Read a flight search again, for 24 hours. Free.

        Returns the search response. Nothing is priced again, and offers that have expired since are included.

        Scope `flights:search`, rate class READ, free of the search quota.

        - `id`: The search's id, `fsr_…`, from a search of the last 24 hours.
        """
        return await self._send(
            Call(
                "GET",
                located("/v1/flights/searches/{id}", id=id),
                models.FlightSearchResponse,
                timeout=timeout,
            )
        )


class FlightsOffers(AsyncResource):
    """`client.flights.offers`."""

    async def reprice(
        self,
        id: str,
        *,
        customer_ref: str | None = None,
        timeout: float | None = None,
    ) -> models.RepricedFlightOffer:
        """Re-price an offer with the airline. Billable.

        The price returned here is the quoted price from then on.

        Scope `flights:search`, rate class SEARCH, counts against the search quota.

        - `id`: The offer's `offerId`, `offer_…`, from a search of the last 20 minutes.
        """
        return await self._send(
            Call(
                "GET",
                located("/v1/flights/offers/{id}", id=id),
                models.RepricedFlightOffer,
                customer_ref=customer_ref,
                timeout=timeout,
            )
        )

    async def services(
        self,
        id: str,
        *,
        customer_ref: str | None = None,
        timeout: float | None = None,
    ) -> models.FlightServicesResponse:
        """List the bags that can be bought with an offer.

        Fetched from the airline; not billable. To buy bags, send their `serviceId` with the order.

        Scope `flights:search`, rate class SEARCH, free of the search quota.

        - `id`: The offer's `offerId`, `offer_…`, from a search of the last 20 minutes.
        """
        return await self._send(
            Call(
                "GET",
                located("/v1/flights/offers/{id}/services", id=id),
                models.FlightServicesResponse,
                customer_ref=customer_ref,
                timeout=timeout,
            )
        )

    async def seat_maps(
        self,
        id: str,
        *,
        customer_ref: str | None = None,
        timeout: float | None = None,
    ) -> models.FlightSeatMapsResponse:
        """Read the seat maps of an offer's flights.

        Fetched from the airline; not billable. To buy a seat, send the `serviceId` that it has for the passenger.

        Scope `flights:search`, rate class SEARCH, free of the search quota.

        - `id`: The offer's `offerId`, `offer_…`, from a search of the last 20 minutes.
        """
        return await self._send(
            Call(
                "GET",
                located("/v1/flights/offers/{id}/seat-maps", id=id),
                models.FlightSeatMapsResponse,
                customer_ref=customer_ref,
                timeout=timeout,
            )
        )


class FlightsOrders(AsyncResource):
    """`client.flights.orders`."""

    async def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        external_reference: str | None = None,
        trip_reference: str | None = None,
        status: Literal["pending", "awaiting_approval", "on_hold", "ticketed", "cancelled", "failed"]
        | None = None,
        updated_since: datetime | None = None,
        timeout: float | None = None,
    ) -> models.FlightOrderList:
        """List flight orders, newest first.

        Scope `flights:book`, rate class READ, free of the search quota.

        - `limit`: How many rows the page may have.
        - `cursor`: `nextCursor` of the page before, with the same filters. Left out: the first page. Any other value
          gets 400.
        - `external_reference`: Only bookings with this reference of your own, spelled exactly.
        - `trip_reference`: Only bookings of the trip with this reference of your own, spelled exactly.
        - `status`: Only bookings that have this status now.
        - `updated_since`: Only bookings that changed at this instant or later, RFC 3339, not in the future. The list
          is then ordered by `updatedAt`, oldest first. A change appears about five seconds later. To continue, send
          the last `updatedAt` that you read: bookings that changed at that instant are repeated, and none is missed.
        """
        return await self._send(
            Call(
                "GET",
                "/v1/flights/orders",
                models.FlightOrderList,
                query=given(
                    {
                        "limit": limit,
                        "cursor": cursor,
                        "externalReference": external_reference,
                        "tripReference": trip_reference,
                        "status": status,
                        "updatedSince": updated_since,
                    }
                ),
                timeout=timeout,
            )
        )

    def iterate(
        self,
        *,
        limit: int | None = None,
        external_reference: str | None = None,
        trip_reference: str | None = None,
        status: Literal["pending", "awaiting_approval", "on_hold", "ticketed", "cancelled", "failed"]
        | None = None,
        updated_since: datetime | None = None,
        timeout: float | None = None,
    ) -> AsyncIterator[models.FlightOrder]:
        """All items of `list`, page by page; `limit` is the size of a page.

        - `external_reference`: Only bookings with this reference of your own, spelled exactly.
        - `trip_reference`: Only bookings of the trip with this reference of your own, spelled exactly.
        - `status`: Only bookings that have this status now.
        - `updated_since`: Only bookings that changed at this instant or later, RFC 3339, not in the future. The list
          is then ordered by `updatedAt`, oldest first. A change appears about five seconds later. To continue, send
          the last `updatedAt` that you read: bookings that changed at that instant are repeated, and none is missed.
        """
        return pages.aby_cursor(
            lambda cursor: self.list(
                cursor=cursor,
                limit=limit,
                external_reference=external_reference,
                trip_reference=trip_reference,
                status=status,
                updated_since=updated_since,
                timeout=timeout,
            )
        )

    async def create(
        self,
        *,
        offer_id: str,
        passengers: Sequence[models.FlightPassengerInput],
        contact: models.ContactInput,
        external_reference: str | None = None,
        trip_reference: str | None = None,
        sold_for_cents: int | None = None,
        max_total_cents: int | None = None,
        services: Sequence[models.FlightServiceInput] | None = None,
        hold: bool | None = None,
        customer_ref: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.FlightOrder:
        """Order a flight offer.

        The funds are held before the airline is called, and captured once it has issued the tickets. With `hold` you
        pay later.

        Scope `flights:book`, rate class BOOKING, free of the search quota.

        - `offer_id`: The offer to order, `offer_…`, from a search of the last 20 minutes. Later: 410 `offer_expired`.
        - `passengers`: All passengers: as many of each type as in the search.
        - `contact`: How the airline reaches the passengers.
        - `external_reference`: Your own reference for the booking, 1 to 64 printable characters; spaces at its ends
          are cut off. A second booking with the reference of one that has not failed is refused with 409 `conflict`,
          which names the first one's `bookingId`. `null` is the same as none.
        - `trip_reference`: Your own reference for the trip that the booking belongs to, 1 to 64 printable characters;
          spaces at its ends are cut off. Any number of bookings of any product may share it. `GET /v1/bookings` lists
          all of a trip. `null` is the same as none.
        - `sold_for_cents`: What your customer pays you for it. It is printed on the booking's documents with
          `prices=sold`; nothing else uses it, and no money moves by it. In minor units of your account's currency.
        - `max_total_cents`: The most that the order may cost. Left out: the quoted `totalCents`. If the price is
          higher: 409 `price_changed`, and nothing is booked. In minor units of your account's currency.
        - `services`: Bags and seats to buy with the fare, each service once. `maxTotalCents` then bounds fare and
          services together. Left out: none.
        - `hold`: `true`: the seats are kept until `payBy`, and the order is paid later by `pay`. The balance must
          cover the total, but no funds are held. Only offers that are `holdable`, and without `services`; others:
          400.
        """
        return await self._send(
            Call(
                "POST",
                "/v1/flights/orders",
                models.FlightOrder,
                body=given(
                    {
                        "offerId": offer_id,
                        "passengers": passengers,
                        "contact": contact,
                        "externalReference": external_reference,
                        "tripReference": trip_reference,
                        "soldForCents": sold_for_cents,
                        "maxTotalCents": max_total_cents,
                        "services": services,
                        "hold": hold,
                    }
                ),
                customer_ref=customer_ref,
                idempotency_key=idempotency_key,
                timeout=timeout,
            )
        )

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> models.FlightOrder:
        """Read a flight order.

        Scope `flights:book`, rate class READ, free of the search quota.

        - `id`: The order's id, `ford_…`.
        """
        return await self._send(
            Call("GET", located("/v1/flights/orders/{id}", id=id), models.FlightOrder, timeout=timeout)
        )

    async def cancel(
        self,
        id: str,
        *,
        reason: str | None = None,
        max_penalty_cents: int | None = None,
        cancellation_quote_id: str | None = None,
        accept_airline_credit: bool | None = None,
        customer_ref: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.FlightOrder:
        """Cancel a flight order.

        An empty body cancels at any penalty, up to the whole price: send `maxPenaltyCents` to cap it, or the
        `cancellationQuoteId` of a quote. The penalty is the fare's; a non-refundable order costs its whole price.

        Scope `flights:book`, rate class BOOKING, free of the search quota.

        - `id`: The order's id, `ford_…`.
        - `reason`: The reason, for your own records; the booking shows it. It is not sent to the supplier.
        - `max_penalty_cents`: The highest penalty that you accept. Above it: 409 `conflict` with `penaltyCents`, and
          nothing is cancelled. Left out: any penalty, up to the whole price. In minor units of your account's
          currency.
        - `cancellation_quote_id`: A cancellation quote of this booking, `cq_…`. Cancelling then costs what was
          quoted, or less. 410 `offer_expired` once it has expired or was replaced by a newer one; 409 `conflict` with
          `penaltyCents` if the penalty has risen. Nothing is cancelled then.
        - `accept_airline_credit`: Whether the refund may be issued as the airline's own credit for the travellers, so
          that nothing is refunded to you. Unless `true`: 409 `conflict` with `refundTo`, and nothing is cancelled.
        """
        return await self._send(
            Call(
                "POST",
                located("/v1/flights/orders/{id}/cancel", id=id),
                models.FlightOrder,
                body=given(
                    {
                        "reason": reason,
                        "maxPenaltyCents": max_penalty_cents,
                        "cancellationQuoteId": cancellation_quote_id,
                        "acceptAirlineCredit": accept_airline_credit,
                    }
                ),
                customer_ref=customer_ref,
                idempotency_key=idempotency_key,
                timeout=timeout,
            )
        )

    async def cancellation_quote(
        self,
        id: str,
        *,
        customer_ref: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.CancellationQuote:
        """Quote the cancellation of a flight order.

        Nothing is cancelled and no money moves. Cancelling with the quote's id costs what was quoted, or less. 409:
        the booking is not active, or its supplier gives no cost.

        Scope `flights:book`, rate class BOOKING, free of the search quota.

        - `id`: The order's id, `ford_…`.
        """
        return await self._send(
            Call(
                "POST",
                located("/v1/flights/orders/{id}/cancellation-quote", id=id),
                models.CancellationQuote,
                body=given({}),
                customer_ref=customer_ref,
                idempotency_key=idempotency_key,
                timeout=timeout,
            )
        )

    async def pay(
        self,
        id: str,
        *,
        max_total_cents: int | None = None,
        customer_ref: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.FlightOrder:
        """Pay for a flight order on hold.

        The airline confirms the price, the funds are held and captured, and the tickets are issued. 409
        `price_changed`: it costs more than `totalCents` and `maxTotalCents`. 409 `conflict`: it is paid, cancelled,
        or changed by the airline. 410: `payBy` has passed.

        Scope `flights:book`, rate class BOOKING, free of the search quota.

        - `id`: The order's id, `ford_…`.
        - `max_total_cents`: The most that the payment may cost. Left out: the order's `totalCents`. If the price is
          higher: 409 `price_changed`, and nothing is paid. In minor units of your account's currency.
        """
        return await self._send(
            Call(
                "POST",
                located("/v1/flights/orders/{id}/pay", id=id),
                models.FlightOrder,
                body=given({"maxTotalCents": max_total_cents}),
                customer_ref=customer_ref,
                idempotency_key=idempotency_key,
                timeout=timeout,
            )
        )

    async def change_options(
        self,
        id: str,
        *,
        remove_slice_id: str,
        add: models.FlightSliceInput,
        customer_ref: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.FlightChangeOptionsResponse:
        """Price alternatives to one slice of an order.

        Nothing is reissued and no money moves; an option can be confirmed for 20 minutes at most.

        Scope `flights:book`, rate class BOOKING, free of the search quota.

        - `id`: The order's id, `ford_…`.
        - `remove_slice_id`: The leg of the order to replace: a `sliceId` of its `slices`. One that is not on the
          order: 400.
        - `add`: The leg to fly in its place.
        """
        return await self._send(
            Call(
                "POST",
                located("/v1/flights/orders/{id}/change-options", id=id),
                models.FlightChangeOptionsResponse,
                body=given({"removeSliceId": remove_slice_id, "add": add}),
                customer_ref=customer_ref,
                idempotency_key=idempotency_key,
                timeout=timeout,
            )
        )

    async def change(
        self,
        id: str,
        *,
        change_id: str,
        customer_ref: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.FlightChangeResponse:
        """Confirm a change and reissue the ticket.

        The cost is held before the airline is called. `settled: false` means that the ticket is reissued and a
        difference in your favour will be credited shortly.

        Scope `flights:book`, rate class BOOKING, free of the search quota.

        - `id`: The order's id, `ford_…`.
        - `change_id`: The option to buy, `change_…`, 20 minutes old at most. An older or unknown one: 410
          `offer_expired`.
        """
        return await self._send(
            Call(
                "POST",
                located("/v1/flights/orders/{id}/change", id=id),
                models.FlightChangeResponse,
                body=given({"changeId": change_id}),
                customer_ref=customer_ref,
                idempotency_key=idempotency_key,
                timeout=timeout,
            )
        )

    async def services(
        self,
        id: str,
        *,
        customer_ref: str | None = None,
        timeout: float | None = None,
    ) -> models.FlightServicesResponse:
        """List the bags that can still be bought for an order.

        Fetched from the airline; not billable. Few airlines sell any. 409: the order is not ticketed, or its flights
        have departed.

        Scope `flights:book`, rate class SEARCH, free of the search quota.

        - `id`: The order's id, `ford_…`.
        """
        return await self._send(
            Call(
                "GET",
                located("/v1/flights/orders/{id}/services", id=id),
                models.FlightServicesResponse,
                customer_ref=customer_ref,
                timeout=timeout,
            )
        )

    async def add_services(
        self,
        id: str,
        *,
        services: Sequence[models.FlightServiceInput],
        max_total_cents: int | None = None,
        customer_ref: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.FlightOrder:
        """Buy bags for an order.

        The cost is held before the airline is called and captured once it confirms; the order's `totalCents`
        increases by it.

        Scope `flights:book`, rate class BOOKING, free of the search quota.

        - `id`: The order's id, `ford_…`.
        - `services`: What to buy, each service once.
        - `max_total_cents`: The most that these services may cost together. Left out: what they were listed at. If
          the price is higher: 409 `price_changed`, and nothing is bought. In minor units of your account's currency.
        """
        return await self._send(
            Call(
                "POST",
                located("/v1/flights/orders/{id}/services", id=id),
                models.FlightOrder,
                body=given({"services": services, "maxTotalCents": max_total_cents}),
                customer_ref=customer_ref,
                idempotency_key=idempotency_key,
                timeout=timeout,
            )
        )

    async def accept_schedule_change(
        self,
        id: str,
        change_id: str,
        *,
        customer_ref: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.FlightOrder:
        """Accept a schedule change of the airline.

        The new flight times become part of the order. No money moves. 409: it was accepted already, a later change
        replaced it, or the order is no longer active. 410: the airline's deadline has passed.

        Scope `flights:book`, rate class BOOKING, free of the search quota.

        - `id`: The order's id, `ford_…`.
        - `change_id`: The schedule change's id, `schedule_…`, from the order or from the event.
        """
        return await self._send(
            Call(
                "POST",
                located(
                    "/v1/flights/orders/{id}/schedule-changes/{changeId}/accept", id=id, changeId=change_id
                ),
                models.FlightOrder,
                body=given({}),
                customer_ref=customer_ref,
                idempotency_key=idempotency_key,
                timeout=timeout,
            )
        )

    async def document(
        self,
        id: str,
        *,
        type: Literal["voucher", "receipt", "itinerary"] | None = None,
        format: Literal["pdf", "html"] | None = None,
        language: str | None = None,
        prices: Literal["none", "net", "sold"] | None = None,
        timeout: float | None = None,
    ) -> bytes:
        """Get the confirmation, the itinerary or the receipt of a flight order.

        As for hotels: with the legs, the passengers and their tickets, bags and seats. 409 `conflict` while the order
        is on hold.

        Scope `flights:book`, rate class READ, free of the search quota.

        - `id`: The order's id, `ford_…`.
        - `type`: `voucher`: what a hotel or a driver asks for, the confirmation of a flight, the code of an eSIM.
          `itinerary`: when and where, without terms. `receipt`: the payment, and the refund if it was cancelled.
        - `format`: `pdf` (A4) or `html`, a self-contained page. The `Accept` header is ignored.
        - `language`: A language tag such as `de` or `pt-BR`. Documents exist in en, de, fr, es, pt and it; in another
          language they are in English. What hotels and suppliers wrote stays as it is.
        - `prices`: `none`: no price, and a receipt states that it was paid. `net`: what you pay. `sold`: the
          booking's `soldForCents`; 409 if it has none.
        """
        return await self._send(
            Call(
                "GET",
                located("/v1/flights/orders/{id}/document", id=id),
                bytes,
                query=given({"type": type, "format": format, "language": language, "prices": prices}),
                timeout=timeout,
            )
        )


class Flights(AsyncResource):
    """`client.flights`."""

    def __init__(self, send: AsyncResource.Send) -> None:
        super().__init__(send)
        self.searches = FlightsSearches(send)
        self.offers = FlightsOffers(send)
        self.orders = FlightsOrders(send)

    async def search(
        self,
        *,
        origin: str | None = None,
        destination: str | None = None,
        departure_date: date | None = None,
        return_date: date | None = None,
        slices: Sequence[models.FlightSearchSliceInput] | None = None,
        passengers: models.FlightPassengerCountsInput | None = None,
        cabin: Literal["economy", "premium_economy", "business", "first"] | None = None,
        max_connections: int | None = None,
        airlines: models.FlightAirlinesInput | None = None,
        private_fares: Sequence[models.FlightPrivateFareInput] | None = None,
        sort: Literal["price", "duration", "departure"] | None = None,
        limit: int | None = None,
        include_document_offers: bool | None = None,
        customer_ref: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.FlightSearchResponse:
        """Search flights.

        Returns offers immediately, each bookable for about 20 minutes. There is no session and no polling.

        Scope `flights:search`, rate class SEARCH, counts against the search quota.

        - `origin`: The airport or city to leave from. Required without `slices`. IATA code in capitals: an airport's,
          such as `LIS`, or a city's, such as `LON`.
        - `destination`: The airport or city to arrive at; must differ from `origin`. Required without `slices`. IATA
          code in capitals: an airport's, such as `LIS`, or a city's, such as `LON`.
        - `departure_date`: The day of departure, in the zone of `origin`. Required without `slices`. `YYYY-MM-DD`,
          from yesterday to 361 days ahead, counted in UTC.
        - `return_date`: The day of the flight back, not before `departureDate`. Left out: one way only. `YYYY-MM-DD`,
          from yesterday to 361 days ahead, counted in UTC.
        - `slices`: The journey in parts, in their order, in place of the four fields above. A part may begin
          elsewhere than the one before it ends: in the same country, or within 2,000 km.
        - `passengers`: Who travels. Left out: one adult.
        - `cabin`: The cabin class to look for.
        - `max_connections`: How often one may change planes on each way; 0 is non-stop. Left out: no limit.
        - `airlines`: Which airlines to look for. Left out: all.
        - `private_fares`: Agreements with airlines, one for each airline at most. Airlines do not check the codes: a
          wrong code has no effect, and `privateFares` of an offer shows which ones applied.
        - `sort`: The order of the offers, and which of them `limit` keeps: the cheapest, those with the shortest
          `slices` together, or those that depart first.
        - `limit`: How many offers the answer may have; the first by `sort` are kept.
        - `include_document_offers`: Whether to include offers that require an identity document of every passenger.
          Otherwise they are left out and counted in `withheld.documentsRequired`.
        """
        return await self._send(
            Call(
                "POST",
                "/v1/flights/searches",
                models.FlightSearchResponse,
                body=given(
                    {
                        "origin": origin,
                        "destination": destination,
                        "departureDate": departure_date,
                        "returnDate": return_date,
                        "slices": slices,
                        "passengers": passengers,
                        "cabin": cabin,
                        "maxConnections": max_connections,
                        "airlines": airlines,
                        "privateFares": private_fares,
                        "sort": sort,
                        "limit": limit,
                        "includeDocumentOffers": include_document_offers,
                    }
                ),
                customer_ref=customer_ref,
                idempotency_key=idempotency_key,
                timeout=timeout,
            )
        )


class TransfersOrders(AsyncResource):
    """`client.transfers.orders`."""

    async def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        external_reference: str | None = None,
        trip_reference: str | None = None,
        status: Literal["pending", "awaiting_approval", "confirmed", "cancelled", "failed"] | None = None,
        updated_since: datetime | None = None,
        timeout: float | None = None,
    ) -> models.TransferOrderList:
        """List transfer orders, newest first.

        Scope `transfers:book`, rate class READ, free of the search quota.

        - `limit`: How many rows the page may have.
        - `cursor`: `nextCursor` of the page before, with the same filters. Left out: the first page. Any other value
          gets 400.
        - `external_reference`: Only bookings with this reference of your own, spelled exactly.
        - `trip_reference`: Only bookings of the trip with this reference of your own, spelled exactly.
        - `status`: Only bookings that have this status now.
        - `updated_since`: Only bookings that changed at this instant or later, RFC 3339, not in the future. The list
          is then ordered by `updatedAt`, oldest first. A change appears about five seconds later. To continue, send
          the last `updatedAt` that you read: bookings that changed at that instant are repeated, and none is missed.
        """
        return await self._send(
            Call(
                "GET",
                "/v1/transfers/orders",
                models.TransferOrderList,
                query=given(
                    {
                        "limit": limit,
                        "cursor": cursor,
                        "externalReference": external_reference,
                        "tripReference": trip_reference,
                        "status": status,
                        "updatedSince": updated_since,
                    }
                ),
                timeout=timeout,
            )
        )

    def iterate(
        self,
        *,
        limit: int | None = None,
        external_reference: str | None = None,
        trip_reference: str | None = None,
        status: Literal["pending", "awaiting_approval", "confirmed", "cancelled", "failed"] | None = None,
        updated_since: datetime | None = None,
        timeout: float | None = None,
    ) -> AsyncIterator[models.TransferOrder]:
        """All items of `list`, page by page; `limit` is the size of a page.

        - `external_reference`: Only bookings with this reference of your own, spelled exactly.
        - `trip_reference`: Only bookings of the trip with this reference of your own, spelled exactly.
        - `status`: Only bookings that have this status now.
        - `updated_since`: Only bookings that changed at this instant or later, RFC 3339, not in the future. The list
          is then ordered by `updatedAt`, oldest first. A change appears about five seconds later. To continue, send
          the last `updatedAt` that you read: bookings that changed at that instant are repeated, and none is missed.
        """
        return pages.aby_cursor(
            lambda cursor: self.list(
                cursor=cursor,
                limit=limit,
                external_reference=external_reference,
                trip_reference=trip_reference,
                status=status,
                updated_since=updated_since,
                timeout=timeout,
            )
        )

    async def create(
        self,
        *,
        quote_id: str,
        lead_passenger: models.TransferLeadPassengerInput,
        flight_number: str | None = None,
        inbound_flight_number: str | None = None,
        extras: Sequence[models.TransferExtraInput] | None = None,
        notes: str | None = None,
        external_reference: str | None = None,
        trip_reference: str | None = None,
        sold_for_cents: int | None = None,
        max_total_cents: int | None = None,
        customer_ref: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.TransferOrder:
        """Order a quoted transfer.

        The funds are held before the supplier is called. They stay held when the order is confirmed, until the
        reconciliation worker captures them: poll the order while `settlement.funds` is `still_held`.

        Scope `transfers:book`, rate class BOOKING, free of the search quota.

        - `quote_id`: The offer to order, `quote_…`, from a search of the last 20 minutes. Later: 410 `offer_expired`.
        - `lead_passenger`: The traveller whom the driver meets.
        - `flight_number`: What the travellers arrive or leave with: from or to an airport the flight, such as
          `TP1363`; a station the train, such as `AVE3082`; a port the ship and, after a comma, its company if you
          know it, such as `GRANDIOSA, MSC Cruises`. Between two of these places both, that of `from` first: `TP1363;
          AVE3082`. With a live key it is required if one of these places is involved, with seven characters at most
          besides spaces for each flight and train, 50 for a ship and 100 for its company. Without a station or a
          port: eight characters at most. Of a return trip: on the way there.
        - `inbound_flight_number`: The same of a return trip's way back, where the drive starts from `to`: between two
          such places that of `to` comes first. For a quote of one way: 400.
        - `extras`: Extras to order with the ride, each code once. `maxTotalCents` then bounds ride and extras
          together. Left out: none.
        - `notes`: A note to the driver in plain words.
        - `external_reference`: Your own reference for the booking, 1 to 64 printable characters; spaces at its ends
          are cut off. A second booking with the reference of one that has not failed is refused with 409 `conflict`,
          which names the first one's `bookingId`. `null` is the same as none.
        - `trip_reference`: Your own reference for the trip that the booking belongs to, 1 to 64 printable characters;
          spaces at its ends are cut off. Any number of bookings of any product may share it. `GET /v1/bookings` lists
          all of a trip. `null` is the same as none.
        - `sold_for_cents`: What your customer pays you for it. It is printed on the booking's documents with
          `prices=sold`; nothing else uses it, and no money moves by it. In minor units of your account's currency.
        - `max_total_cents`: The most that the order may cost. Left out: the quoted `totalCents`. If the price is
          higher: 409 `price_changed`, and nothing is booked. In minor units of your account's currency.
        """
        return await self._send(
            Call(
                "POST",
                "/v1/transfers/orders",
                models.TransferOrder,
                body=given(
                    {
                        "quoteId": quote_id,
                        "leadPassenger": lead_passenger,
                        "flightNumber": flight_number,
                        "inboundFlightNumber": inbound_flight_number,
                        "extras": extras,
                        "notes": notes,
                        "externalReference": external_reference,
                        "tripReference": trip_reference,
                        "soldForCents": sold_for_cents,
                        "maxTotalCents": max_total_cents,
                    }
                ),
                customer_ref=customer_ref,
                idempotency_key=idempotency_key,
                timeout=timeout,
            )
        )

    async def get(
        self,
        order_id: str,
        *,
        timeout: float | None = None,
    ) -> models.TransferOrder:
        """Read a transfer order.

        Poll it while `settlement.funds` is `still_held`.

        Scope `transfers:book`, rate class READ, free of the search quota.

        - `order_id`: The order's `orderId`, `tord_…`.
        """
        return await self._send(
            Call(
                "GET",
                located("/v1/transfers/orders/{orderId}", orderId=order_id),
                models.TransferOrder,
                timeout=timeout,
            )
        )

    async def cancel(
        self,
        order_id: str,
        *,
        reason: str | None = None,
        max_penalty_cents: int | None = None,
        cancellation_quote_id: str | None = None,
        customer_ref: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.TransferOrder:
        """Cancel a transfer order.

        An empty body cancels at any penalty, up to the whole price: send `maxPenaltyCents` to cap it, or the
        `cancellationQuoteId` of a quote. The penalty is that of `cancellationSteps` at this moment; the rest of the
        funds is released, or refunded if they were captured.

        Scope `transfers:book`, rate class BOOKING, free of the search quota.

        - `order_id`: The order's `orderId`, `tord_…`.
        - `reason`: The reason, for your own records; the booking shows it. It is not sent to the supplier.
        - `max_penalty_cents`: The highest penalty that you accept. Above it: 409 `conflict` with `penaltyCents`, and
          nothing is cancelled. Left out: any penalty, up to the whole price. In minor units of your account's
          currency.
        - `cancellation_quote_id`: A cancellation quote of this booking, `cq_…`. Cancelling then costs what was
          quoted, or less. 410 `offer_expired` once it has expired or was replaced by a newer one; 409 `conflict` with
          `penaltyCents` if the penalty has risen. Nothing is cancelled then.
        """
        return await self._send(
            Call(
                "POST",
                located("/v1/transfers/orders/{orderId}/cancel", orderId=order_id),
                models.TransferOrder,
                body=given(
                    {
                        "reason": reason,
                        "maxPenaltyCents": max_penalty_cents,
                        "cancellationQuoteId": cancellation_quote_id,
                    }
                ),
                customer_ref=customer_ref,
                idempotency_key=idempotency_key,
                timeout=timeout,
            )
        )

    async def cancellation_quote(
        self,
        order_id: str,
        *,
        customer_ref: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.CancellationQuote:
        """Quote the cancellation of a transfer order.

        Nothing is cancelled and no money moves. Cancelling with the quote's id costs what was quoted, or less. 409:
        the booking is not active, or its supplier gives no cost.

        Scope `transfers:book`, rate class BOOKING, free of the search quota.

        - `order_id`: The order's `orderId`, `tord_…`.
        """
        return await self._send(
            Call(
                "POST",
                located("/v1/transfers/orders/{orderId}/cancellation-quote", orderId=order_id),
                models.CancellationQuote,
                body=given({}),
                customer_ref=customer_ref,
                idempotency_key=idempotency_key,
                timeout=timeout,
            )
        )

    async def document(
        self,
        order_id: str,
        *,
        type: Literal["voucher", "receipt", "itinerary"] | None = None,
        format: Literal["pdf", "html"] | None = None,
        language: str | None = None,
        prices: Literal["none", "net", "sold"] | None = None,
        timeout: float | None = None,
    ) -> bytes:
        """Get the voucher, the itinerary or the receipt of a transfer order.

        As for hotels: with the pick-up, how to find the driver, and the company that provides the ride.

        Scope `transfers:book`, rate class READ, free of the search quota.

        - `order_id`: The order's id, `tord_…`.
        - `type`: `voucher`: what a hotel or a driver asks for, the confirmation of a flight, the code of an eSIM.
          `itinerary`: when and where, without terms. `receipt`: the payment, and the refund if it was cancelled.
        - `format`: `pdf` (A4) or `html`, a self-contained page. The `Accept` header is ignored.
        - `language`: A language tag such as `de` or `pt-BR`. Documents exist in en, de, fr, es, pt and it; in another
          language they are in English. What hotels and suppliers wrote stays as it is.
        - `prices`: `none`: no price, and a receipt states that it was paid. `net`: what you pay. `sold`: the
          booking's `soldForCents`; 409 if it has none.
        """
        return await self._send(
            Call(
                "GET",
                located("/v1/transfers/orders/{orderId}/document", orderId=order_id),
                bytes,
                query=given({"type": type, "format": format, "language": language, "prices": prices}),
                timeout=timeout,
            )
        )


class Transfers(AsyncResource):
    """`client.transfers`."""

    def __init__(self, send: AsyncResource.Send) -> None:
        super().__init__(send)
        self.orders = TransfersOrders(send)

    async def search(
        self,
        *,
        from_: models.TransferPlaceInput,
        to: models.TransferPlaceInput,
        outbound: str,
        adults: int,
        children: int | None = None,
        infants: int | None = None,
        inbound: str | None = None,
        vehicle_class: Literal["economy", "comfort", "business", "minivan", "minibus", "shuttle"]
        | None = None,
        limit: int | None = None,
        customer_ref: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.TransferSearchResponse:
        """Search transfers.

        Returns offers immediately, each bookable for about 20 minutes. `outbound` is local time without an offset: at
        an airport or station it is the arrival or the departure there. With `inbound` each offer covers both ways at
        one price. If the places are too far apart for any vehicle, the response has no offers and is not billed.

        Scope `transfers:search`, rate class SEARCH, counts against the search quota.

        - `from_`: Where the travellers are picked up.
        - `to`: Where they are driven; must differ from `from`.
        - `outbound`: When they arrive at the airport or station that the drive starts from; or, if it leads to one,
          when they depart from there. From a port, to a port from elsewhere, and between other places: when they wish
          to be picked up. In local time: `YYYY-MM-DDTHH:MM` or with seconds, without offset, from yesterday to 730
          days ahead.
        - `adults`: How many grown-up travellers need a seat.
        - `children`: How many children need a seat.
        - `infants`: How many infants come along; they need a seat too. Adults, children and infants: 48 at most
          together.
        - `inbound`: When they are driven back from `to` to `from`: what `outbound` is of the way there, and later.
          Offers then have two `legs` and one price. Left out: one way. `YYYY-MM-DDTHH:MM` or with seconds, without
          offset, from yesterday to 730 days ahead.
        - `vehicle_class`: Only offers of this class. Left out: all classes.
        - `limit`: How many offers the answer may have.
        """
        return await self._send(
            Call(
                "POST",
                "/v1/transfers/searches",
                models.TransferSearchResponse,
                body=given(
                    {
                        "from": from_,
                        "to": to,
                        "outbound": outbound,
                        "adults": adults,
                        "children": children,
                        "infants": infants,
                        "inbound": inbound,
                        "vehicleClass": vehicle_class,
                        "limit": limit,
                    }
                ),
                customer_ref=customer_ref,
                idempotency_key=idempotency_key,
                timeout=timeout,
            )
        )


class EsimPlans(AsyncResource):
    """`client.esim.plans`."""

    async def list(
        self,
        *,
        country: str | None = None,
        region: Literal[
            "africa",
            "asia",
            "caribbean",
            "europe",
            "global",
            "latin-america",
            "middle-east",
            "north-america",
            "oceania",
        ]
        | None = None,
        plan_type: Literal["data", "unlimited", "voice_sms"] | None = None,
        page: int | None = None,
        page_size: int | None = None,
        limit: int | None = None,
        min_data_mb: int | None = None,
        min_days: int | None = None,
        max_price_cents: int | None = None,
        sort: Literal["price", "data", "days"] | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> models.EsimPlanList:
        """List eSIM plans at your net price.

        From our catalogue; free of charge. Read it by page number, or by cursor like the other lists: with a cursor,
        plans added or removed in the meantime do not shift the pages.

        Scope `esim:read`, rate class READ, free of the search quota.

        - `country`: Only plans that work in this country, those of its regions included. ISO 3166-1 alpha-2 code in
          capitals, such as `PT`; `XK` is Kosovo.
        - `region`: Only plans that are sold for this region.
        - `plan_type`: Only plans of this kind: an amount of data, data without a limit, or with minutes and messages.
        - `page`: Which page to read; the first is 1. A page after the last is empty.
        - `page_size`: How many plans a page has.
        - `limit`: How many plans the page may have; 20 where left out. Not together with `page` and `pageSize`.
        - `min_data_mb`: Only plans with at least so much data, in megabytes. A plan without a limit has more than any
          other.
        - `min_days`: Only plans that can be used for at least so many days.
        - `max_price_cents`: Only plans that cost you no more than this, in minor units of your account's currency.
        - `sort`: `price`: the cheapest first. `data`: the most data first, plans without a limit before all others.
          `days`: the longest first. Ties are broken by price, the cheapest first. Left out: single-country plans,
          then regional ones, each by name.
        - `cursor`: `nextCursor` of the page before, with the same filters. Left out: the first page. Any other value
          gets 400. Not together with `page` and `pageSize`.
        """
        return await self._send(
            Call(
                "GET",
                "/v1/esim/plans",
                models.EsimPlanList,
                query=given(
                    {
                        "country": country,
                        "region": region,
                        "planType": plan_type,
                        "page": page,
                        "pageSize": page_size,
                        "limit": limit,
                        "minDataMb": min_data_mb,
                        "minDays": min_days,
                        "maxPriceCents": max_price_cents,
                        "sort": sort,
                        "cursor": cursor,
                    }
                ),
                timeout=timeout,
            )
        )

    def iterate(
        self,
        *,
        country: str | None = None,
        region: Literal[
            "africa",
            "asia",
            "caribbean",
            "europe",
            "global",
            "latin-america",
            "middle-east",
            "north-america",
            "oceania",
        ]
        | None = None,
        plan_type: Literal["data", "unlimited", "voice_sms"] | None = None,
        limit: int | None = None,
        min_data_mb: int | None = None,
        min_days: int | None = None,
        max_price_cents: int | None = None,
        sort: Literal["price", "data", "days"] | None = None,
        timeout: float | None = None,
    ) -> AsyncIterator[models.EsimPlan]:
        """All items of `list`, page by page; `limit` is the size of a page.

        - `country`: Only plans that work in this country, those of its regions included. ISO 3166-1 alpha-2 code in
          capitals, such as `PT`; `XK` is Kosovo.
        - `region`: Only plans that are sold for this region.
        - `plan_type`: Only plans of this kind: an amount of data, data without a limit, or with minutes and messages.
        - `min_data_mb`: Only plans with at least so much data, in megabytes. A plan without a limit has more than any
          other.
        - `min_days`: Only plans that can be used for at least so many days.
        - `max_price_cents`: Only plans that cost you no more than this, in minor units of your account's currency.
        - `sort`: `price`: the cheapest first. `data`: the most data first, plans without a limit before all others.
          `days`: the longest first. Ties are broken by price, the cheapest first. Left out: single-country plans,
          then regional ones, each by name.
        """
        return pages.aby_cursor(
            lambda cursor: self.list(
                cursor=cursor,
                country=country,
                region=region,
                plan_type=plan_type,
                limit=limit,
                min_data_mb=min_data_mb,
                min_days=min_days,
                max_price_cents=max_price_cents,
                sort=sort,
                timeout=timeout,
            )
        )

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> models.EsimPlan:
        """Read an eSIM plan.

        Scope `esim:read`, rate class READ, free of the search quota.

        - `id`: The plan's id, `plan_…`, from the catalogue.
        """
        return await self._send(
            Call("GET", located("/v1/esim/plans/{id}", id=id), models.EsimPlan, timeout=timeout)
        )


class EsimOrders(AsyncResource):
    """`client.esim.orders`."""

    async def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        external_reference: str | None = None,
        trip_reference: str | None = None,
        status: Literal["pending", "awaiting_approval", "provisioned", "cancelled", "failed"] | None = None,
        updated_since: datetime | None = None,
        timeout: float | None = None,
    ) -> models.EsimOrderList:
        """List eSIM orders, newest first.

        Scope `esim:read`, rate class READ, free of the search quota.

        - `limit`: How many rows the page may have.
        - `cursor`: `nextCursor` of the page before, with the same filters. Left out: the first page. Any other value
          gets 400.
        - `external_reference`: Only bookings with this reference of your own, spelled exactly.
        - `trip_reference`: Only bookings of the trip with this reference of your own, spelled exactly.
        - `status`: Only bookings that have this status now.
        - `updated_since`: Only bookings that changed at this instant or later, RFC 3339, not in the future. The list
          is then ordered by `updatedAt`, oldest first. A change appears about five seconds later. To continue, send
          the last `updatedAt` that you read: bookings that changed at that instant are repeated, and none is missed.
        """
        return await self._send(
            Call(
                "GET",
                "/v1/esim/orders",
                models.EsimOrderList,
                query=given(
                    {
                        "limit": limit,
                        "cursor": cursor,
                        "externalReference": external_reference,
                        "tripReference": trip_reference,
                        "status": status,
                        "updatedSince": updated_since,
                    }
                ),
                timeout=timeout,
            )
        )

    def iterate(
        self,
        *,
        limit: int | None = None,
        external_reference: str | None = None,
        trip_reference: str | None = None,
        status: Literal["pending", "awaiting_approval", "provisioned", "cancelled", "failed"] | None = None,
        updated_since: datetime | None = None,
        timeout: float | None = None,
    ) -> AsyncIterator[models.EsimOrder]:
        """All items of `list`, page by page; `limit` is the size of a page.

        - `external_reference`: Only bookings with this reference of your own, spelled exactly.
        - `trip_reference`: Only bookings of the trip with this reference of your own, spelled exactly.
        - `status`: Only bookings that have this status now.
        - `updated_since`: Only bookings that changed at this instant or later, RFC 3339, not in the future. The list
          is then ordered by `updatedAt`, oldest first. A change appears about five seconds later. To continue, send
          the last `updatedAt` that you read: bookings that changed at that instant are repeated, and none is missed.
        """
        return pages.aby_cursor(
            lambda cursor: self.list(
                cursor=cursor,
                limit=limit,
                external_reference=external_reference,
                trip_reference=trip_reference,
                status=status,
                updated_since=updated_since,
                timeout=timeout,
            )
        )

    async def create(
        self,
        *,
        plan_id: str,
        external_reference: str | None = None,
        trip_reference: str | None = None,
        sold_for_cents: int | None = None,
        max_total_cents: int | None = None,
        customer_ref: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.EsimOrder:
        """Order an eSIM.

        Some operators deliver a few seconds later: the order is then `pending` with its funds held, and
        `esim.provisioned` is sent when it is ready. If the externalReference was used before, you get the existing
        order with 200.

        Scope `esim:book`, rate class BOOKING, free of the search quota.

        - `plan_id`: The plan to buy, `plan_…`, from the catalogue. An unknown one: 404.
        - `external_reference`: Your own reference for the order, 1 to 64 printable characters; spaces at its ends are
          cut off. Used before for the same plan: 200 and the existing order. Used for another plan: 409 `conflict`.
          That of a failed order is free again. `null` is the same as none.
        - `trip_reference`: Your own reference for the trip that the booking belongs to, 1 to 64 printable characters;
          spaces at its ends are cut off. Any number of bookings of any product may share it. `GET /v1/bookings` lists
          all of a trip. `null` is the same as none.
        - `sold_for_cents`: What your customer pays you for it. It is printed on the booking's documents with
          `prices=sold`; nothing else uses it, and no money moves by it. In minor units of your account's currency.
        - `max_total_cents`: The most that the order may cost. Left out: the plan's `priceCents`. If the price is
          higher: 409 `price_changed`, and nothing is bought. In minor units of your account's currency.
        """
        return await self._send(
            Call(
                "POST",
                "/v1/esim/orders",
                models.EsimOrder,
                body=given(
                    {
                        "planId": plan_id,
                        "externalReference": external_reference,
                        "tripReference": trip_reference,
                        "soldForCents": sold_for_cents,
                        "maxTotalCents": max_total_cents,
                    }
                ),
                customer_ref=customer_ref,
                idempotency_key=idempotency_key,
                timeout=timeout,
            )
        )

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> models.EsimOrder:
        """Read an eSIM order, with its top-ups.

        Scope `esim:read`, rate class READ, free of the search quota.

        - `id`: The order's id, `eord_…`.
        """
        return await self._send(
            Call("GET", located("/v1/esim/orders/{id}", id=id), models.EsimOrder, timeout=timeout)
        )

    async def usage(
        self,
        id: str,
        *,
        customer_ref: str | None = None,
        timeout: float | None = None,
    ) -> models.EsimUsage:
        """Read the live data usage of an eSIM.

        While the supplier is unreachable you get the last known values, with `status` null. An order without a
        profile gets 409.

        Scope `esim:read`, rate class READ, free of the search quota.

        - `id`: The order's id, `eord_…`.
        """
        return await self._send(
            Call(
                "GET",
                located("/v1/esim/orders/{id}/usage", id=id),
                models.EsimUsage,
                customer_ref=customer_ref,
                timeout=timeout,
            )
        )

    async def instructions(
        self,
        id: str,
        *,
        language: str | None = None,
        customer_ref: str | None = None,
        timeout: float | None = None,
    ) -> models.EsimInstructions:
        """Read how to install an eSIM, step by step.

        For iPhones and Android devices, in the supplier's words. They are fetched from the supplier at the first read
        in a language and kept for a week. An order without a profile gets 409.

        Scope `esim:read`, rate class READ, free of the search quota.

        - `id`: The order's id, `eord_…`.
        - `language`: The language of the steps, as a tag such as `de` or `pt-BR`; English by default, and if the
          supplier does not have the language; `language` in the response shows which it is.
        """
        return await self._send(
            Call(
                "GET",
                located("/v1/esim/orders/{id}/instructions", id=id),
                models.EsimInstructions,
                query=given({"language": language}),
                customer_ref=customer_ref,
                timeout=timeout,
            )
        )

    async def request_refund(
        self,
        id: str,
        *,
        reason: Literal[
            "installation_failure",
            "qr_problem",
            "deleted_esim",
            "incompatible_device",
            "locked_device",
            "no_coverage",
            "blocked_network",
            "connection_problem",
            "slow_speed",
            "hotspot_problem",
            "trip_cancelled",
            "plans_changed",
            "wrong_purchase",
            "other",
        ],
        notes: str | None = None,
        customer_ref: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.EsimOrder:
        """Request a refund of an unused eSIM.

        The supplier's staff decide within days; the response is the order with `refundRequest`. A granted refund is
        paid to your balance, and `esim.refund_decided` is sent either way. A top-up cannot be refunded by itself.
        409: the order is not `provisioned`, its data was used, or another request is open.

        Scope `esim:book`, rate class BOOKING, free of the search quota.

        - `id`: The order's id, `eord_…`.
        - `reason`: Why. `other` needs `notes`.
        - `notes`: Notes for the supplier's staff, 1 to 255 characters. They are sent to the supplier and stored with
          the order: do not name travellers.
        """
        return await self._send(
            Call(
                "POST",
                located("/v1/esim/orders/{id}/refund-requests", id=id),
                models.EsimOrder,
                body=given({"reason": reason, "notes": notes}),
                customer_ref=customer_ref,
                idempotency_key=idempotency_key,
                timeout=timeout,
            )
        )

    async def topup_plans(
        self,
        id: str,
        *,
        customer_ref: str | None = None,
        timeout: float | None = None,
    ) -> models.EsimTopUpPlans:
        """List the top-up plans of an eSIM at your net price.

        Fetched from the supplier and cached for five minutes. An eSIM that takes no top-ups, or no more, gets 409,
        and so does an order without a profile.

        Scope `esim:read`, rate class READ, free of the search quota.

        - `id`: The order's id, `eord_…`.
        """
        return await self._send(
            Call(
                "GET",
                located("/v1/esim/orders/{id}/topups", id=id),
                models.EsimTopUpPlans,
                customer_ref=customer_ref,
                timeout=timeout,
            )
        )

    async def topup(
        self,
        id: str,
        *,
        plan_id: str,
        external_reference: str | None = None,
        sold_for_cents: int | None = None,
        max_total_cents: int | None = None,
        customer_ref: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.EsimTopUp:
        """Top up an eSIM.

        Adds a plan to a provisioned eSIM: its data is added to what is left. The top-up is a booking with its own
        reference; the order shows it in `topups`, and lists of orders do not. Only one top-up of an eSIM can be in
        progress at a time. If the externalReference was used before, you get the existing top-up with 200.

        Scope `esim:book`, rate class BOOKING, free of the search quota.

        - `id`: The order's id, `eord_…`.
        - `plan_id`: The plan to add, `plan_…`, from the list of this eSIM's top-ups. Another one: 400. One that is no
          longer sold: 410.
        - `external_reference`: Your own reference for the top-up, 1 to 64 printable characters; spaces at its ends
          are cut off. Used before for the same plan and eSIM: 200 and the existing top-up. Used for anything else of
          yours with eSIMs: 409 `conflict`. That of a failed top-up is free again. `null` is the same as none.
        - `sold_for_cents`: What your customer pays you for it. It is printed on the booking's documents with
          `prices=sold`; nothing else uses it, and no money moves by it. In minor units of your account's currency.
        - `max_total_cents`: The most that the top-up may cost. Left out: the `priceCents` that you last received. If
          the price is higher: 409 `price_changed`, and nothing is bought. In minor units of your account's currency.
        """
        return await self._send(
            Call(
                "POST",
                located("/v1/esim/orders/{id}/topups", id=id),
                models.EsimTopUp,
                body=given(
                    {
                        "planId": plan_id,
                        "externalReference": external_reference,
                        "soldForCents": sold_for_cents,
                        "maxTotalCents": max_total_cents,
                    }
                ),
                customer_ref=customer_ref,
                idempotency_key=idempotency_key,
                timeout=timeout,
            )
        )

    async def document(
        self,
        id: str,
        *,
        type: Literal["voucher", "receipt", "itinerary"] | None = None,
        format: Literal["pdf", "html"] | None = None,
        language: str | None = None,
        prices: Literal["none", "net", "sold"] | None = None,
        timeout: float | None = None,
    ) -> bytes:
        """Get the QR code with its steps, the itinerary or the receipt of an eSIM order.

        As for hotels: with the QR code, the activation code and the steps to install it.

        Scope `esim:read`, rate class READ, free of the search quota.

        - `id`: The order's id, `eord_…`.
        - `type`: `voucher`: what a hotel or a driver asks for, the confirmation of a flight, the code of an eSIM.
          `itinerary`: when and where, without terms. `receipt`: the payment, and the refund if it was cancelled.
        - `format`: `pdf` (A4) or `html`, a self-contained page. The `Accept` header is ignored.
        - `language`: A language tag such as `de` or `pt-BR`. Documents exist in en, de, fr, es, pt and it; in another
          language they are in English. What hotels and suppliers wrote stays as it is.
        - `prices`: `none`: no price, and a receipt states that it was paid. `net`: what you pay. `sold`: the
          booking's `soldForCents`; 409 if it has none.
        """
        return await self._send(
            Call(
                "GET",
                located("/v1/esim/orders/{id}/document", id=id),
                bytes,
                query=given({"type": type, "format": format, "language": language, "prices": prices}),
                timeout=timeout,
            )
        )


class Esim(AsyncResource):
    """`client.esim`."""

    def __init__(self, send: AsyncResource.Send) -> None:
        super().__init__(send)
        self.plans = EsimPlans(send)
        self.orders = EsimOrders(send)


class WebhooksEndpoints(AsyncResource):
    """`client.webhooks.endpoints`."""

    async def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> models.WebhookEndpointList:
        """List webhook endpoints, newest first.

        Scope `webhooks:manage`, rate class READ, free of the search quota.

        - `limit`: How many rows the page may have.
        - `cursor`: `nextCursor` of the page before, with the same filters. Left out: the first page. Any other value
          gets 400.
        """
        return await self._send(
            Call(
                "GET",
                "/v1/webhooks/endpoints",
                models.WebhookEndpointList,
                query=given({"limit": limit, "cursor": cursor}),
                timeout=timeout,
            )
        )

    def iterate(
        self,
        *,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> AsyncIterator[models.WebhookEndpoint]:
        """All items of `list`, page by page; `limit` is the size of a page."""
        return pages.aby_cursor(lambda cursor: self.list(cursor=cursor, limit=limit, timeout=timeout))

    async def create(
        self,
        *,
        url: str,
        events: Sequence[
            Literal[
                "airline_credit.issued",
                "apikey.revoked",
                "balance.low",
                "booking.approval_decided",
                "booking.approval_requested",
                "booking.cancelled",
                "booking.changed",
                "booking.confirmed",
                "booking.failed",
                "booking.hold_expired",
                "booking.hold_expiring",
                "booking.modified",
                "booking.rejected",
                "booking.schedule_changed",
                "booking.supplier_changed",
                "esim.data_low",
                "esim.provisioned",
                "esim.refund_decided",
                "esim.status_changed",
                "esim.topped_up",
                "esim.usage_threshold",
                "ledger.low_balance",
                "payment.failed",
                "payment.refunded",
                "payment.succeeded",
                "search_quota.threshold",
                "settlement.invoice_issued",
                "settlement.payment_failed",
            ]
        ],
        description: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.WebhookEndpointWithSecret:
        """Register a webhook endpoint.

        The response shows the signing secret, which is never shown again. At most 20 per environment.

        Scope `webhooks:manage`, rate class BOOKING, free of the search quota.

        - `url`: Where to deliver to: `https://` on a public host, without user name and password, on port 443 or 1024
          and above. 2048 characters at most.
        - `events`: The event types to send there. A repeated one counts once.
        - `description`: A note for yourself, such as which system listens there. 255 characters at most; it may be
          empty.
        """
        return await self._send(
            Call(
                "POST",
                "/v1/webhooks/endpoints",
                models.WebhookEndpointWithSecret,
                body=given({"url": url, "events": events, "description": description}),
                idempotency_key=idempotency_key,
                timeout=timeout,
            )
        )

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> models.WebhookEndpoint:
        """Read a webhook endpoint.

        Scope `webhooks:manage`, rate class READ, free of the search quota.

        - `id`: The endpoint's id, `we_…`.
        """
        return await self._send(
            Call(
                "GET", located("/v1/webhooks/endpoints/{id}", id=id), models.WebhookEndpoint, timeout=timeout
            )
        )

    async def update(
        self,
        id: str,
        *,
        url: str | None = None,
        events: Sequence[
            Literal[
                "airline_credit.issued",
                "apikey.revoked",
                "balance.low",
                "booking.approval_decided",
                "booking.approval_requested",
                "booking.cancelled",
                "booking.changed",
                "booking.confirmed",
                "booking.failed",
                "booking.hold_expired",
                "booking.hold_expiring",
                "booking.modified",
                "booking.rejected",
                "booking.schedule_changed",
                "booking.supplier_changed",
                "esim.data_low",
                "esim.provisioned",
                "esim.refund_decided",
                "esim.status_changed",
                "esim.topped_up",
                "esim.usage_threshold",
                "ledger.low_balance",
                "payment.failed",
                "payment.refunded",
                "payment.succeeded",
                "search_quota.threshold",
                "settlement.invoice_issued",
                "settlement.payment_failed",
            ]
        ]
        | None = None,
        description: str | None = None,
        status: Literal["enabled", "disabled"] | None = None,
        timeout: float | None = None,
    ) -> models.WebhookEndpoint:
        """Change a webhook endpoint.

        `status: enabled` sends waiting deliveries immediately and clears the count of failures.

        Scope `webhooks:manage`, rate class BOOKING, free of the search quota.

        - `id`: The endpoint's id, `we_…`.
        - `url`: The new address, with the same rules as on creation. The next attempt uses it.
        - `events`: The event types to send from now on, instead of the current ones.
        - `description`: The new note; it may be empty.
        - `status`: `enabled` sends waiting deliveries immediately and sets the count of failures to 0. `disabled`
          sends nothing until it is enabled again.
        """
        return await self._send(
            Call(
                "PATCH",
                located("/v1/webhooks/endpoints/{id}", id=id),
                models.WebhookEndpoint,
                body=given({"url": url, "events": events, "description": description, "status": status}),
                timeout=timeout,
            )
        )

    async def delete(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> None:
        """Delete a webhook endpoint.

        Its deliveries stay readable; unfinished ones become FAILED.

        Scope `webhooks:manage`, rate class BOOKING, free of the search quota.

        - `id`: The endpoint's id, `we_…`.
        """
        return await self._send(
            Call("DELETE", located("/v1/webhooks/endpoints/{id}", id=id), type(None), timeout=timeout)
        )

    async def rotate_secret(
        self,
        id: str,
        *,
        immediate: bool | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.WebhookEndpointWithSecret:
        """Rotate the signing secret.

        For 24 hours deliveries are signed with both secrets. A second rotation within that time is refused with
        `safeAfter`, unless it is `immediate`.

        Scope `webhooks:manage`, rate class BOOKING, free of the search quota.

        - `id`: The endpoint's id, `we_…`.
        - `immediate`: `true`: the old secret stops working immediately, for example after a leak. `false`: deliveries
          are signed with both for 24 hours.
        """
        return await self._send(
            Call(
                "POST",
                located("/v1/webhooks/endpoints/{id}/rotate-secret", id=id),
                models.WebhookEndpointWithSecret,
                body=given({"immediate": immediate}),
                idempotency_key=idempotency_key,
                timeout=timeout,
            )
        )

    async def test(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.WebhookDelivery:
        """Send a test delivery of type webhook.test.

        Scope `webhooks:manage`, rate class BOOKING, free of the search quota.

        - `id`: The endpoint's id, `we_…`.
        """
        return await self._send(
            Call(
                "POST",
                located("/v1/webhooks/endpoints/{id}/test", id=id),
                models.WebhookDelivery,
                body=given({}),
                idempotency_key=idempotency_key,
                timeout=timeout,
            )
        )


class WebhooksDeliveries(AsyncResource):
    """`client.webhooks.deliveries`."""

    async def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: Literal["PENDING", "RETRYING", "DELIVERED", "FAILED", "EXHAUSTED"] | None = None,
        event_type: Literal[
            "airline_credit.issued",
            "apikey.revoked",
            "balance.low",
            "booking.approval_decided",
            "booking.approval_requested",
            "booking.cancelled",
            "booking.changed",
            "booking.confirmed",
            "booking.failed",
            "booking.hold_expired",
            "booking.hold_expiring",
            "booking.modified",
            "booking.rejected",
            "booking.schedule_changed",
            "booking.supplier_changed",
            "esim.data_low",
            "esim.provisioned",
            "esim.refund_decided",
            "esim.status_changed",
            "esim.topped_up",
            "esim.usage_threshold",
            "ledger.low_balance",
            "payment.failed",
            "payment.refunded",
            "payment.succeeded",
            "search_quota.threshold",
            "settlement.invoice_issued",
            "settlement.payment_failed",
            "webhook.test",
        ]
        | None = None,
        endpoint_id: str | None = None,
        timeout: float | None = None,
    ) -> models.WebhookDeliveryList:
        """List deliveries, newest first.

        Scope `webhooks:manage`, rate class READ, free of the search quota.

        - `limit`: How many rows the page may have.
        - `cursor`: `nextCursor` of the page before, with the same filters. Left out: the first page. Any other value
          gets 400.
        - `status`: Only deliveries with this status, in capitals or small letters.
        - `event_type`: Only deliveries of events of this type.
        - `endpoint_id`: Only deliveries to the endpoint with this id, `we_…`.
        """
        return await self._send(
            Call(
                "GET",
                "/v1/webhooks/deliveries",
                models.WebhookDeliveryList,
                query=given(
                    {
                        "limit": limit,
                        "cursor": cursor,
                        "status": status,
                        "eventType": event_type,
                        "endpointId": endpoint_id,
                    }
                ),
                timeout=timeout,
            )
        )

    def iterate(
        self,
        *,
        limit: int | None = None,
        status: Literal["PENDING", "RETRYING", "DELIVERED", "FAILED", "EXHAUSTED"] | None = None,
        event_type: Literal[
            "airline_credit.issued",
            "apikey.revoked",
            "balance.low",
            "booking.approval_decided",
            "booking.approval_requested",
            "booking.cancelled",
            "booking.changed",
            "booking.confirmed",
            "booking.failed",
            "booking.hold_expired",
            "booking.hold_expiring",
            "booking.modified",
            "booking.rejected",
            "booking.schedule_changed",
            "booking.supplier_changed",
            "esim.data_low",
            "esim.provisioned",
            "esim.refund_decided",
            "esim.status_changed",
            "esim.topped_up",
            "esim.usage_threshold",
            "ledger.low_balance",
            "payment.failed",
            "payment.refunded",
            "payment.succeeded",
            "search_quota.threshold",
            "settlement.invoice_issued",
            "settlement.payment_failed",
            "webhook.test",
        ]
        | None = None,
        endpoint_id: str | None = None,
        timeout: float | None = None,
    ) -> AsyncIterator[models.WebhookDelivery]:
        """All items of `list`, page by page; `limit` is the size of a page.

        - `status`: Only deliveries with this status, in capitals or small letters.
        - `event_type`: Only deliveries of events of this type.
        - `endpoint_id`: Only deliveries to the endpoint with this id, `we_…`.
        """
        return pages.aby_cursor(
            lambda cursor: self.list(
                cursor=cursor,
                limit=limit,
                status=status,
                event_type=event_type,
                endpoint_id=endpoint_id,
                timeout=timeout,
            )
        )

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> models.WebhookDeliveryDetail:
        """Read a delivery with its payload and every attempt.

        Scope `webhooks:manage`, rate class READ, free of the search quota.

        - `id`: The delivery's id, `whd_…`.
        """
        return await self._send(
            Call(
                "GET",
                located("/v1/webhooks/deliveries/{id}", id=id),
                models.WebhookDeliveryDetail,
                timeout=timeout,
            )
        )

    async def resend(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.WebhookDelivery:
        """Resend a finished delivery.

        Sends the same payload with a fresh signature. If it fails, the delivery keeps its status.

        Scope `webhooks:manage`, rate class BOOKING, free of the search quota.

        - `id`: The delivery's id, `whd_…`.
        """
        return await self._send(
            Call(
                "POST",
                located("/v1/webhooks/deliveries/{id}/resend", id=id),
                models.WebhookDelivery,
                body=given({}),
                idempotency_key=idempotency_key,
                timeout=timeout,
            )
        )


class Webhooks(AsyncResource):
    """`client.webhooks`."""

    def __init__(self, send: AsyncResource.Send) -> None:
        super().__init__(send)
        self.endpoints = WebhooksEndpoints(send)
        self.deliveries = WebhooksDeliveries(send)


class Events(AsyncResource):
    """`client.events`."""

    async def list(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        type: str | None = None,
        booking_reference: str | None = None,
        timeout: float | None = None,
    ) -> models.FeedEventList:
        """Read the feed of events, oldest first.

        All events of the last 30 days, including those that no endpoint subscribes to. If you always continue after
        `nextAfter`, you read each event once, in an order that never changes. With a filter, a page may have few
        events or none while `hasMore` is true.

        Scope `webhooks:manage`, rate class READ, free of the search quota.

        - `after`: The event to continue after: `nextAfter` of the page before, or the `id` of any event. Left out:
          from the oldest.
        - `limit`: How many rows the page may have.
        - `type`: Only events of these types, separated by commas, such as `booking.confirmed,booking.cancelled`.
        - `booking_reference`: Only events of the booking with this reference, such as `H-7KQ2M9XD`.
        """
        return await self._send(
            Call(
                "GET",
                "/v1/events",
                models.FeedEventList,
                query=given(
                    {"after": after, "limit": limit, "type": type, "bookingReference": booking_reference}
                ),
                timeout=timeout,
            )
        )

    def follow(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        type: str | None = None,
        booking_reference: str | None = None,
        pause: float | None = None,
        until_empty: bool | None = None,
        timeout: float | None = None,
    ) -> AsyncIterator[models.FeedEvent]:
        """All items of `list`, then new ones as they happen. Without `until_empty` it never ends: it waits for the next
        event, so code after the loop is not reached. Store the `id` of the last event that you processed, and
        continue `after` it.

        - `after`: The event to continue after: `nextAfter` of the page before, or the `id` of any event. Left out:
          from the oldest.
        - `type`: Only events of these types, separated by commas, such as `booking.confirmed,booking.cancelled`.
        - `booking_reference`: Only events of the booking with this reference, such as `H-7KQ2M9XD`.
        - `pause`: Seconds to wait if there is nothing new; 5 if left out.
        - `until_empty`: End after the newest event, instead of waiting for more.
        """
        return pages.afollowing(
            lambda after: self.list(
                after=after, limit=limit, type=type, booking_reference=booking_reference, timeout=timeout
            ),
            after,
            pause,
            until_empty,
        )


class Health(AsyncResource):
    """`client.health`."""

    async def get(
        self,
        *,
        timeout: float | None = None,
    ) -> models.Health:
        """Check that the process is alive.

        Checks nothing else: neither the database nor Redis.
        """
        return await self._send(Call("GET", "/health", models.Health, timeout=timeout))

    async def ready(
        self,
        *,
        timeout: float | None = None,
    ) -> models.Readiness:
        """Check that the service is ready.

        503 only while the database is unreachable or lacks a migration; without Redis `degraded`, because reads still
        work.
        """
        return await self._send(Call("GET", "/health/ready", models.Readiness, also=(503,), timeout=timeout))

    async def full(
        self,
        *,
        timeout: float | None = None,
    ) -> models.HealthReport:
        """Read the state and latency of every component.

        Database, Redis, worker and beat heartbeats, the oldest due delivery, unresolved bookings by age.
        """
        return await self._send(Call("GET", "/health/full", models.HealthReport, timeout=timeout))


class AllOperations(AsyncResource):
    """All operations, by product."""

    def __init__(self, send: AsyncResource.Send) -> None:
        super().__init__(send)
        self.account = Account(send)
        self.operations = Operations(send)
        self.places = Places(send)
        self.bookings = Bookings(send)
        self.trips = Trips(send)
        self.hotels = Hotels(send)
        self.flights = Flights(send)
        self.transfers = Transfers(send)
        self.esim = Esim(send)
        self.webhooks = Webhooks(send)
        self.events = Events(send)
        self.health = Health(send)

    async def ping(
        self,
        *,
        timeout: float | None = None,
    ) -> models.Ping:
        """Check that the service responds.

        Needs no key and does not validate one.
        """
        return await self._send(Call("GET", "/v1/ping", models.Ping, timeout=timeout))
