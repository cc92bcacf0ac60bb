// Written by `make clients-generate` from the OpenAPI document. Do not edit.

export interface paths {
    "/v1/ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the service responds
         * @description Needs no key and does not validate one.
         */
        get: operations["ping"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the account, its balance, the calling key and its limits
         * @description Proves that a key is valid.
         *
         *     Scope `account:read`, rate class READ, free of the search quota.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List ledger entries, newest first, with the balance
         * @description Scope `ledger:read`, rate class READ, free of the search quota.
         */
        get: operations["listLedgerEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/statements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the months that have a statement, newest first
         * @description Scope `ledger:read`, rate class READ, free of the search quota.
         */
        get: operations["listAccountStatements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/statements/{month}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the statement of a month: opening balance, movements, closing balance
         * @description A month runs from its first day, 00:00 UTC, to the next month's. It is closed one hour after its end and never changes then. A month before the account's first and a future month get 404.
         *
         *     Scope `ledger:read`, rate class READ, free of the search quota.
         */
        get: operations["getAccountStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count billable searches by UTC day, product and key, as on an invoice
         * @description Scope `ledger:read`, rate class READ, free of the search quota.
         */
        get: operations["getSearchUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up the outcome of a POST by its Idempotency-Key
         * @description Reports the current state: while the call runs, after a lost response or a crash, and after the key's 24 hours for as long as the booking is known. `next` names the one safe next step; following it repeatedly ends with exactly one booking. A key that was used before needs the scope of its operation (403 `insufficient_scope`). An unknown key is not an error: its state is `not_seen`, and a copy of the request that is still in transit may yet arrive.
         *
         *     Any scope, rate class READ, free of the search quota.
         */
        get: operations["findOperation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/places": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search places as a user types
         * @description Finds cities, airports, hotels and landmarks by name in any language, with or without accents, from a prefix, and with one typing mistake. Free of charge and fast enough to call on each keystroke. Hotel searches take a `placeId` as their destination; flights and transfers take the `code`.
         *
         *     Scope `hotels:search` or `flights:search` or `transfers:search`, rate class READ, free of the search quota.
         */
        get: operations["searchPlaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bookings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the bookings of all products, newest first
         * @description One list across the products whose bookings the key may read. Each booking has the form of its product's own list, plus `bookingType`. `tripReference` finds all bookings of a trip; `serviceFrom` and `serviceTo` find those that begin on given days.
         *
         *     Scope `hotels:book` or `flights:book` or `transfers:book` or `esim:read`, rate class READ, free of the search quota.
         */
        get: operations["listBookings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/trips/document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one document of all bookings of a trip
         * @description An overview, then each booking in the order in which the services begin, in local time; each voucher is on a page of its own. It covers the products whose bookings the key may read. Bookings without such a document are left out: those that are pending, on hold or failed, cancelled ones unless it is a receipt, and those whose travellers were erased. 409 `conflict` if none is left, and for more than 50 bookings.
         *
         *     Scope `hotels:book` or `flights:book` or `transfers:book` or `esim:read`, rate class READ, free of the search quota.
         */
        get: operations["getTripDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hotels/searches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search hotels
         * @description Returns once prices have settled; each rate can be booked for about 20 minutes. An empty body searches featured cities, 30 days ahead, for one night and two adults.
         *
         *     Scope `hotels:search`, rate class SEARCH, counts against the search quota.
         */
        post: operations["searchHotels"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hotels/searches/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a hotel search again, for 24 hours. Free
         * @description Rates are not priced again: they are those of the search and expire as stated there. Without parameters you get the search response again; with `cursor`, the following hotels.
         *
         *     Scope `hotels:search`, rate class READ, free of the search quota.
         */
        get: operations["getHotelSearch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hotels/min-rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find the cheapest dates of hotels
         * @description The lowest price of each hotel for each day of arrival, for lists and calendars; search to see the terms and to book. Every seven days or part of them count as one search of the quota. Days for which the supplier does not respond in time are counted in `withheld`; if it responds for none, nothing is billed.
         *
         *     Scope `hotels:search`, rate class SEARCH, counts against the search quota.
         */
        post: operations["searchHotelMinRates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hotels/rates/{rateId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a rate as it was quoted. Free
         * @description Scope `hotels:search`, rate class READ, free of the search quota.
         */
        get: operations["getHotelRate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hotels/properties": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List hotels with their facts. Free
         * @description From our catalogue, ordered by when their content changed, oldest first. It includes hotels without coordinates, which no search finds. Read one by its `hotelId` for its texts, rooms, facilities and policies.
         *
         *     Scope `hotels:search`, rate class READ, free of the search quota.
         */
        get: operations["listHotelProperties"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hotels/properties/{hotelId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a hotel: texts, pictures, facilities, rooms and policies. Free
         * @description In the requested language, if the hotel has a description in it. The first read of a hotel in a language may take a few seconds.
         *
         *     Scope `hotels:search`, rate class READ, free of the search quota.
         */
        get: operations["getHotelProperty"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hotels/bookings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List hotel bookings, newest first
         * @description Scope `hotels:book`, rate class READ, free of the search quota.
         */
        get: operations["listHotelBookings"];
        put?: never;
        /**
         * Book a hotel rate
         * @description The funds are held before the hotel is called, and captured once it confirms.
         *
         *     Scope `hotels:book`, rate class BOOKING, free of the search quota.
         */
        post: operations["createHotelBooking"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hotels/bookings/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a hotel booking
         * @description Scope `hotels:book`, rate class READ, free of the search quota.
         */
        get: operations["getHotelBooking"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hotels/bookings/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a hotel booking
         * @description An empty body cancels at any penalty, up to the whole price: send `maxPenaltyCents` to cap it, or the `cancellationQuoteId` of a quote. The penalty is that of `cancellationSteps` at this moment; a non-refundable booking costs its whole price.
         *
         *     Scope `hotels:book`, rate class BOOKING, free of the search quota.
         */
        post: operations["cancelHotelBooking"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hotels/bookings/{id}/change-options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Price other dates or rooms for a hotel booking
         * @description Nothing is changed and no money moves; an option can be confirmed for 20 minutes at most. 409: the booking is not confirmed or not refundable, a change is in progress, or the stay has begun.
         *
         *     Scope `hotels:book`, rate class BOOKING, free of the search quota.
         */
        post: operations["findHotelChangeOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hotels/bookings/{id}/change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the dates or rooms of a hotel booking
         * @description The new stay is booked first, then the old one is cancelled. The cost is held before the hotel is called. `settled: false` means that the stay is changed and a difference in your favour will be credited shortly. 503: the booking shows `changeUnderWay` until the outcome is known; you are charged for one stay in any case.
         *
         *     Scope `hotels:book`, rate class BOOKING, free of the search quota.
         */
        post: operations["changeHotelBooking"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hotels/bookings/{id}/cancellation-quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Quote the cancellation of a hotel booking
         * @description Nothing is cancelled and no money moves. Cancelling with the quote's id costs what was quoted, or less. 409: the booking is not active, or its supplier gives no cost.
         *
         *     Scope `hotels:book`, rate class BOOKING, free of the search quota.
         */
        post: operations["quoteHotelCancellation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hotels/bookings/{id}/correct-guest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a correction of the lead guest's name
         * @description No money moves. The supplier's staff handle the request; the response is the booking with `correction`. Once the hotel has the name, `guests` shows it and `booking.supplier_changed` is sent. 409: the booking is not active, the stay is over, or another correction is open.
         *
         *     Scope `hotels:book`, rate class BOOKING, free of the search quota.
         */
        post: operations["correctHotelGuest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/flights/searches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search flights
         * @description Returns offers immediately, each bookable for about 20 minutes. There is no session and no polling.
         *
         *     Scope `flights:search`, rate class SEARCH, counts against the search quota.
         */
        post: operations["searchFlights"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/flights/searches/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a flight search again, for 24 hours. Free
         * @description Returns the search response. Nothing is priced again, and offers that have expired since are included.
         *
         *     Scope `flights:search`, rate class READ, free of the search quota.
         */
        get: operations["getFlightSearch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/flights/offers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Re-price an offer with the airline. Billable
         * @description The price returned here is the quoted price from then on.
         *
         *     Scope `flights:search`, rate class SEARCH, counts against the search quota.
         */
        get: operations["repriceFlightOffer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/flights/offers/{id}/services": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the bags that can be bought with an offer
         * @description Fetched from the airline; not billable. To buy bags, send their `serviceId` with the order.
         *
         *     Scope `flights:search`, rate class SEARCH, free of the search quota.
         */
        get: operations["listFlightOfferServices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/flights/offers/{id}/seat-maps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the seat maps of an offer's flights
         * @description Fetched from the airline; not billable. To buy a seat, send the `serviceId` that it has for the passenger.
         *
         *     Scope `flights:search`, rate class SEARCH, free of the search quota.
         */
        get: operations["getFlightOfferSeatMaps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/flights/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List flight orders, newest first
         * @description Scope `flights:book`, rate class READ, free of the search quota.
         */
        get: operations["listFlightOrders"];
        put?: never;
        /**
         * Order a flight offer
         * @description The funds are held before the airline is called, and captured once it has issued the tickets. With `hold` you pay later.
         *
         *     Scope `flights:book`, rate class BOOKING, free of the search quota.
         */
        post: operations["createFlightOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/flights/orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a flight order
         * @description Scope `flights:book`, rate class READ, free of the search quota.
         */
        get: operations["getFlightOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/flights/orders/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a flight order
         * @description An empty body cancels at any penalty, up to the whole price: send `maxPenaltyCents` to cap it, or the `cancellationQuoteId` of a quote. The penalty is the fare's; a non-refundable order costs its whole price.
         *
         *     Scope `flights:book`, rate class BOOKING, free of the search quota.
         */
        post: operations["cancelFlightOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/flights/orders/{id}/cancellation-quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Quote the cancellation of a flight order
         * @description Nothing is cancelled and no money moves. Cancelling with the quote's id costs what was quoted, or less. 409: the booking is not active, or its supplier gives no cost.
         *
         *     Scope `flights:book`, rate class BOOKING, free of the search quota.
         */
        post: operations["quoteFlightCancellation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/flights/orders/{id}/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay for a flight order on hold
         * @description The airline confirms the price, the funds are held and captured, and the tickets are issued. 409 `price_changed`: it costs more than `totalCents` and `maxTotalCents`. 409 `conflict`: it is paid, cancelled, or changed by the airline. 410: `payBy` has passed.
         *
         *     Scope `flights:book`, rate class BOOKING, free of the search quota.
         */
        post: operations["payFlightOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/flights/orders/{id}/change-options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Price alternatives to one slice of an order
         * @description Nothing is reissued and no money moves; an option can be confirmed for 20 minutes at most.
         *
         *     Scope `flights:book`, rate class BOOKING, free of the search quota.
         */
        post: operations["listFlightChangeOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/flights/orders/{id}/change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm a change and reissue the ticket
         * @description The cost is held before the airline is called. `settled: false` means that the ticket is reissued and a difference in your favour will be credited shortly.
         *
         *     Scope `flights:book`, rate class BOOKING, free of the search quota.
         */
        post: operations["changeFlightOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/flights/orders/{id}/services": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the bags that can still be bought for an order
         * @description Fetched from the airline; not billable. Few airlines sell any. 409: the order is not ticketed, or its flights have departed.
         *
         *     Scope `flights:book`, rate class SEARCH, free of the search quota.
         */
        get: operations["listFlightOrderServices"];
        put?: never;
        /**
         * Buy bags for an order
         * @description The cost is held before the airline is called and captured once it confirms; the order's `totalCents` increases by it.
         *
         *     Scope `flights:book`, rate class BOOKING, free of the search quota.
         */
        post: operations["addFlightOrderServices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/flights/orders/{id}/schedule-changes/{changeId}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a schedule change of the airline
         * @description The new flight times become part of the order. No money moves. 409: it was accepted already, a later change replaced it, or the order is no longer active. 410: the airline's deadline has passed.
         *
         *     Scope `flights:book`, rate class BOOKING, free of the search quota.
         */
        post: operations["acceptFlightScheduleChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transfers/searches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search transfers
         * @description Returns offers immediately, each bookable for about 20 minutes. `outbound` is local time without an offset: at an airport or station it is the arrival or the departure there. With `inbound` each offer covers both ways at one price. If the places are too far apart for any vehicle, the response has no offers and is not billed.
         *
         *     Scope `transfers:search`, rate class SEARCH, counts against the search quota.
         */
        post: operations["searchTransfers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transfers/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List transfer orders, newest first
         * @description Scope `transfers:book`, rate class READ, free of the search quota.
         */
        get: operations["listTransferOrders"];
        put?: never;
        /**
         * Order a quoted transfer
         * @description The funds are held before the supplier is called. They stay held when the order is confirmed, until the reconciliation worker captures them: poll the order while `settlement.funds` is `still_held`.
         *
         *     Scope `transfers:book`, rate class BOOKING, free of the search quota.
         */
        post: operations["createTransferOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transfers/orders/{orderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a transfer order
         * @description Poll it while `settlement.funds` is `still_held`.
         *
         *     Scope `transfers:book`, rate class READ, free of the search quota.
         */
        get: operations["getTransferOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transfers/orders/{orderId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a transfer order
         * @description An empty body cancels at any penalty, up to the whole price: send `maxPenaltyCents` to cap it, or the `cancellationQuoteId` of a quote. The penalty is that of `cancellationSteps` at this moment; the rest of the funds is released, or refunded if they were captured.
         *
         *     Scope `transfers:book`, rate class BOOKING, free of the search quota.
         */
        post: operations["cancelTransferOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transfers/orders/{orderId}/cancellation-quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Quote the cancellation of a transfer order
         * @description Nothing is cancelled and no money moves. Cancelling with the quote's id costs what was quoted, or less. 409: the booking is not active, or its supplier gives no cost.
         *
         *     Scope `transfers:book`, rate class BOOKING, free of the search quota.
         */
        post: operations["quoteTransferCancellation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/esim/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List eSIM plans at your net price
         * @description From our catalogue; free of charge. Read it by page number, or by cursor like the other lists: with a cursor, plans added or removed in the meantime do not shift the pages.
         *
         *     Scope `esim:read`, rate class READ, free of the search quota.
         */
        get: operations["listEsimPlans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/esim/plans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an eSIM plan
         * @description Scope `esim:read`, rate class READ, free of the search quota.
         */
        get: operations["getEsimPlan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/esim/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List eSIM orders, newest first
         * @description Scope `esim:read`, rate class READ, free of the search quota.
         */
        get: operations["listEsimOrders"];
        put?: never;
        /**
         * Order an eSIM
         * @description Some operators deliver a few seconds later: the order is then `pending` with its funds held, and `esim.provisioned` is sent when it is ready. If the externalReference was used before, you get the existing order with 200.
         *
         *     Scope `esim:book`, rate class BOOKING, free of the search quota.
         */
        post: operations["createEsimOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/esim/orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an eSIM order, with its top-ups
         * @description Scope `esim:read`, rate class READ, free of the search quota.
         */
        get: operations["getEsimOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/esim/orders/{id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the live data usage of an eSIM
         * @description While the supplier is unreachable you get the last known values, with `status` null. An order without a profile gets 409.
         *
         *     Scope `esim:read`, rate class READ, free of the search quota.
         */
        get: operations["getEsimUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/esim/orders/{id}/instructions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how to install an eSIM, step by step
         * @description For iPhones and Android devices, in the supplier's words. They are fetched from the supplier at the first read in a language and kept for a week. An order without a profile gets 409.
         *
         *     Scope `esim:read`, rate class READ, free of the search quota.
         */
        get: operations["getEsimInstructions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/esim/orders/{id}/refund-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a refund of an unused eSIM
         * @description The supplier's staff decide within days; the response is the order with `refundRequest`. A granted refund is paid to your balance, and `esim.refund_decided` is sent either way. A top-up cannot be refunded by itself. 409: the order is not `provisioned`, its data was used, or another request is open.
         *
         *     Scope `esim:book`, rate class BOOKING, free of the search quota.
         */
        post: operations["requestEsimRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/esim/orders/{id}/topups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the top-up plans of an eSIM at your net price
         * @description Fetched from the supplier and cached for five minutes. An eSIM that takes no top-ups, or no more, gets 409, and so does an order without a profile.
         *
         *     Scope `esim:read`, rate class READ, free of the search quota.
         */
        get: operations["listEsimTopUpPlans"];
        put?: never;
        /**
         * Top up an eSIM
         * @description Adds a plan to a provisioned eSIM: its data is added to what is left. The top-up is a booking with its own reference; the order shows it in `topups`, and lists of orders do not. Only one top-up of an eSIM can be in progress at a time. If the externalReference was used before, you get the existing top-up with 200.
         *
         *     Scope `esim:book`, rate class BOOKING, free of the search quota.
         */
        post: operations["createEsimTopUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hotels/bookings/{id}/document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the voucher, the itinerary or the receipt of a hotel booking
         * @description As a PDF or a web page, in six languages, in your account's name. 409 `conflict` until the booking is confirmed. A cancelled booking has a receipt with its refund. Documents of test bookings are marked as not valid for travel.
         *
         *     Scope `hotels:book`, rate class READ, free of the search quota.
         */
        get: operations["getHotelBookingDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/flights/orders/{id}/document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the confirmation, the itinerary or the receipt of a flight order
         * @description As for hotels: with the legs, the passengers and their tickets, bags and seats. 409 `conflict` while the order is on hold.
         *
         *     Scope `flights:book`, rate class READ, free of the search quota.
         */
        get: operations["getFlightOrderDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transfers/orders/{orderId}/document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the voucher, the itinerary or the receipt of a transfer order
         * @description As for hotels: with the pick-up, how to find the driver, and the company that provides the ride.
         *
         *     Scope `transfers:book`, rate class READ, free of the search quota.
         */
        get: operations["getTransferOrderDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/esim/orders/{id}/document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the QR code with its steps, the itinerary or the receipt of an eSIM order
         * @description As for hotels: with the QR code, the activation code and the steps to install it.
         *
         *     Scope `esim:read`, rate class READ, free of the search quota.
         */
        get: operations["getEsimOrderDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints, newest first
         * @description Scope `webhooks:manage`, rate class READ, free of the search quota.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Register a webhook endpoint
         * @description The response shows the signing secret, which is never shown again. At most 20 per environment.
         *
         *     Scope `webhooks:manage`, rate class BOOKING, free of the search quota.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook endpoint
         * @description Scope `webhooks:manage`, rate class READ, free of the search quota.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Its deliveries stay readable; unfinished ones become FAILED.
         *
         *     Scope `webhooks:manage`, rate class BOOKING, free of the search quota.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description `status: enabled` sends waiting deliveries immediately and clears the count of failures.
         *
         *     Scope `webhooks:manage`, rate class BOOKING, free of the search quota.
         */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/v1/webhooks/endpoints/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the signing secret
         * @description For 24 hours deliveries are signed with both secrets. A second rotation within that time is refused with `safeAfter`, unless it is `immediate`.
         *
         *     Scope `webhooks:manage`, rate class BOOKING, free of the search quota.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test delivery of type webhook.test
         * @description Scope `webhooks:manage`, rate class BOOKING, free of the search quota.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries, newest first
         * @description Scope `webhooks:manage`, rate class READ, free of the search quota.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery with its payload and every attempt
         * @description Scope `webhooks:manage`, rate class READ, free of the search quota.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend a finished delivery
         * @description Sends the same payload with a fresh signature. If it fails, the delivery keeps its status.
         *
         *     Scope `webhooks:manage`, rate class BOOKING, free of the search quota.
         */
        post: operations["resendWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the feed of events, oldest first
         * @description All events of the last 30 days, including those that no endpoint subscribes to. If you always continue after `nextAfter`, you read each event once, in an order that never changes. With a filter, a page may have few events or none while `hasMore` is true.
         *
         *     Scope `webhooks:manage`, rate class READ, free of the search quota.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the process is alive
         * @description Checks nothing else: neither the database nor Redis.
         */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the service is ready
         * @description 503 only while the database is unreachable or lacks a migration; without Redis `degraded`, because reads still work.
         */
        get: operations["healthReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/full": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the state and latency of every component
         * @description Database, Redis, worker and beat heartbeats, the oldest due delivery, unresolved bookings by age.
         */
        get: operations["healthFull"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "booking.confirmed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delivery of booking.confirmed
         * @description Sent to each enabled endpoint that subscribes to this event. Verify one of the signatures over the bytes of the body before you parse it, respond with 2xx, and do the work afterwards. Without a 2xx it is sent again, up to seven times in all.
         */
        post: operations["booking.confirmed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "balance.low": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delivery of balance.low
         * @description Sent to each enabled endpoint that subscribes to this event. Verify one of the signatures over the bytes of the body before you parse it, respond with 2xx, and do the work afterwards. Without a 2xx it is sent again, up to seven times in all.
         */
        post: operations["balance.low"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "booking.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delivery of booking.cancelled
         * @description Sent to each enabled endpoint that subscribes to this event. Verify one of the signatures over the bytes of the body before you parse it, respond with 2xx, and do the work afterwards. Without a 2xx it is sent again, up to seven times in all.
         */
        post: operations["booking.cancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "booking.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delivery of booking.changed
         * @description Sent to each enabled endpoint that subscribes to this event. Verify one of the signatures over the bytes of the body before you parse it, respond with 2xx, and do the work afterwards. Without a 2xx it is sent again, up to seven times in all.
         */
        post: operations["booking.changed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "booking.schedule_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delivery of booking.schedule_changed
         * @description Sent to each enabled endpoint that subscribes to this event. Verify one of the signatures over the bytes of the body before you parse it, respond with 2xx, and do the work afterwards. Without a 2xx it is sent again, up to seven times in all.
         */
        post: operations["booking.schedule_changed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "booking.supplier_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delivery of booking.supplier_changed
         * @description Sent to each enabled endpoint that subscribes to this event. Verify one of the signatures over the bytes of the body before you parse it, respond with 2xx, and do the work afterwards. Without a 2xx it is sent again, up to seven times in all.
         */
        post: operations["booking.supplier_changed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "booking.approval_requested": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delivery of booking.approval_requested
         * @description Sent to each enabled endpoint that subscribes to this event. Verify one of the signatures over the bytes of the body before you parse it, respond with 2xx, and do the work afterwards. Without a 2xx it is sent again, up to seven times in all.
         */
        post: operations["booking.approval_requested"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "booking.approval_decided": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delivery of booking.approval_decided
         * @description Sent to each enabled endpoint that subscribes to this event. Verify one of the signatures over the bytes of the body before you parse it, respond with 2xx, and do the work afterwards. Without a 2xx it is sent again, up to seven times in all.
         */
        post: operations["booking.approval_decided"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "booking.rejected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delivery of booking.rejected
         * @description Sent to each enabled endpoint that subscribes to this event. Verify one of the signatures over the bytes of the body before you parse it, respond with 2xx, and do the work afterwards. Without a 2xx it is sent again, up to seven times in all.
         */
        post: operations["booking.rejected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "booking.hold_expiring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delivery of booking.hold_expiring
         * @description Sent to each enabled endpoint that subscribes to this event. Verify one of the signatures over the bytes of the body before you parse it, respond with 2xx, and do the work afterwards. Without a 2xx it is sent again, up to seven times in all.
         */
        post: operations["booking.hold_expiring"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "booking.hold_expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delivery of booking.hold_expired
         * @description Sent to each enabled endpoint that subscribes to this event. Verify one of the signatures over the bytes of the body before you parse it, respond with 2xx, and do the work afterwards. Without a 2xx it is sent again, up to seven times in all.
         */
        post: operations["booking.hold_expired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.refunded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delivery of payment.refunded
         * @description Sent to each enabled endpoint that subscribes to this event. Verify one of the signatures over the bytes of the body before you parse it, respond with 2xx, and do the work afterwards. Without a 2xx it is sent again, up to seven times in all.
         */
        post: operations["payment.refunded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "airline_credit.issued": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delivery of airline_credit.issued
         * @description Sent to each enabled endpoint that subscribes to this event. Verify one of the signatures over the bytes of the body before you parse it, respond with 2xx, and do the work afterwards. Without a 2xx it is sent again, up to seven times in all.
         */
        post: operations["airline_credit.issued"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "esim.provisioned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delivery of esim.provisioned
         * @description Sent to each enabled endpoint that subscribes to this event. Verify one of the signatures over the bytes of the body before you parse it, respond with 2xx, and do the work afterwards. Without a 2xx it is sent again, up to seven times in all.
         */
        post: operations["esim.provisioned"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "esim.topped_up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delivery of esim.topped_up
         * @description Sent to each enabled endpoint that subscribes to this event. Verify one of the signatures over the bytes of the body before you parse it, respond with 2xx, and do the work afterwards. Without a 2xx it is sent again, up to seven times in all.
         */
        post: operations["esim.topped_up"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "esim.data_low": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delivery of esim.data_low
         * @description Sent to each enabled endpoint that subscribes to this event. Verify one of the signatures over the bytes of the body before you parse it, respond with 2xx, and do the work afterwards. Without a 2xx it is sent again, up to seven times in all.
         */
        post: operations["esim.data_low"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "esim.status_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delivery of esim.status_changed
         * @description Sent to each enabled endpoint that subscribes to this event. Verify one of the signatures over the bytes of the body before you parse it, respond with 2xx, and do the work afterwards. Without a 2xx it is sent again, up to seven times in all.
         */
        post: operations["esim.status_changed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "esim.refund_decided": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delivery of esim.refund_decided
         * @description Sent to each enabled endpoint that subscribes to this event. Verify one of the signatures over the bytes of the body before you parse it, respond with 2xx, and do the work afterwards. Without a 2xx it is sent again, up to seven times in all.
         */
        post: operations["esim.refund_decided"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delivery of webhook.test
         * @description Sent to one endpoint, whatever it subscribes to, by `testWebhookEndpoint`. Signed and retried like any delivery.
         */
        post: operations["webhook.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description Your account, as seen by the calling key. */
        Account: {
            /** @description The account's id, `acc_…`. */
            id: string;
            /** @description The name that the account was opened with. */
            name: string;
            /** @description `active`. `read-only`: only reads that are not billable. `suspended`: every call gets 403 `account_not_active`. */
            status: "active" | "read-only" | "suspended" | (string & {});
            /** @description The environment of the calling key, which all values here belong to. */
            environment: "test" | "live" | (string & {});
            /** @description The settlement modes that the account may use. Today `partner_merchant` alone. */
            settlementModes: string[];
            /** @description What to write on a bank transfer, so that it is credited to the account, such as `RF85Z7T2J9YW`: a creditor reference of ISO 11649. It never changes. */
            paymentReference: string;
            /** @description What the calling key may do. */
            scopes: string[];
            /** @description The prepaid money of this environment. */
            balance: components["schemas"]["AccountBalance"];
            /** @description The key that called. */
            key: components["schemas"]["ApiKey"];
            /** @description The limits of the calling key. */
            limits: components["schemas"]["AccountLimits"];
            /** @description Whether the account may create live keys. */
            liveApproval: components["schemas"]["LiveApproval"];
        };
        /** @description The prepaid money of one environment. */
        AccountBalance: {
            /** @description ISO 4217 code of your account's currency, such as `EUR`. */
            currency: string;
            /** @description What can be spent now. In minor units of `currency`. */
            availableCents: number;
            /** @description What is held for bookings that are not paid yet; not part of `availableCents`. In minor units of `currency`. */
            heldCents: number;
            /** @description `balance.low` is sent when less than this is available, as set in the portal under Balance; `null`: never. In minor units of `currency`. */
            warnBelowCents: number | null;
        };
        /** @description The limits of a key. */
        AccountLimits: {
            /** @description Requests per minute, by rate class. Each operation names its class. */
            rate: components["schemas"]["RateLimitsByClass"];
            /** @description Billable searches per day. */
            searchQuota: components["schemas"]["SearchQuota"];
            /** @description What the calling key may spend. */
            spend: components["schemas"]["SpendLimits"];
        };
        /** @description The account's money in one month, equal to its ledger. */
        AccountStatement: {
            /** @description The month, `YYYY-MM`, in UTC. */
            month: string;
            /** @description ISO 4217 code of the account's currency. */
            currency: string;
            /** @description The balance at the start of the month, available and held together: `closingCents` of the month before. In minor units of the account's currency. */
            openingCents: number;
            /** @description Money that you paid in. In minor units of the account's currency. */
            topUpsCents: number;
            /** @description Paid for bookings. In minor units of the account's currency. */
            capturedCents: number;
            /** @description Refunded after it was paid. In minor units of the account's currency. */
            refundedCents: number;
            /** @description Corrections by us; negative: the balance went down. In minor units of the account's currency. */
            adjustmentsCents: number;
            /** @description The balance at the end of the month, or now, available and held together: opening + top-ups − captured + refunded + adjustments. In minor units of the account's currency. */
            closingCents: number;
            /** @description The part of `closingCents` held for bookings that were not paid yet. In minor units of the account's currency. */
            heldCents: number;
            /** @description Whether the statement is final. It is, one hour after the end of the month, and never changes then. */
            closed: boolean;
            /** @description Payments and refunds by product. */
            byProduct: components["schemas"]["StatementOfProduct"][];
            /** @description Payments and refunds by API key. */
            byKey: components["schemas"]["StatementOfKey"][];
            /** @description How many ledger entries the month has. */
            lineCount: number;
            /** @description The month's ledger entries, oldest first: the first 1,000. `format=csv` has all of them. */
            lines: components["schemas"]["LedgerEntry"][];
        };
        /** @description The months that have a statement. */
        AccountStatementList: {
            /** @description Every month from the account's first to the current one, newest first. */
            data: components["schemas"]["Month"][];
        };
        /** @description Credit that the airline issues to a traveller in place of a refund, to be spent with that airline. */
        AirlineCredit: {
            /** @description The passenger: an index into `passengers`, from 0; `null` if the airline does not provide it. */
            passenger: number | null;
            /** @description What it is worth. In minor units of `currency`. */
            amountCents: number;
            /** @description ISO 4217 code of `amountCents`, which may differ from the order's. */
            currency: string;
            /** @description The code to spend it with; `null` until the airline has issued it, after the cancellation. */
            code: string | null;
            /**
             * Format: date
             * @description The last day on which it can be spent; `null` if the airline does not provide it. `YYYY-MM-DD`.
             */
            expiresOn: string | null;
        };
        /** @description One page of a listing. */
        AnyBookingList: {
            /** @description The bookings of this page, newest first. Each has the form of its product's own list, plus `bookingType`. Empty: none match. */
            data: (components["schemas"]["ListedHotelBooking"] | components["schemas"]["ListedFlightOrder"] | components["schemas"]["ListedTransferOrder"] | components["schemas"]["ListedEsimOrder"])[];
            /** @description Whether another page follows this one. */
            hasMore: boolean;
            /** @description Send it as `cursor`, with the same filters, to read the next page; `null` on the last page. */
            nextCursor: string | null;
        };
        /** @description The key that called. */
        ApiKey: {
            /** @description The key's id, `key_…`. It is not a secret; the ledger and usage refer to it. */
            id: string;
            /** @description The name that the key was given in the portal. */
            name: string;
            /** @description The first characters of the secret, to identify the key. */
            prefix: string;
            /** @description The environment of the key: sandbox or live. */
            environment: "test" | "live" | (string & {});
            /** @description `partner_merchant`: you are the merchant, and prices are net. */
            settlementMode: string;
            /** @description The IP addresses and ranges that the key can be used from. Empty: anywhere. */
            allowedIps: string[];
            /**
             * Format: date-time
             * @description When the secret that was sent stops working, because it was rotated; `null`: it does not. RFC 3339, in UTC.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When the key was last used, accurate to a minute; `null`: never. RFC 3339, in UTC.
             */
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description When the key was created. RFC 3339, in UTC.
             */
            createdAt: string;
        };
        /** @description The room, meals and terms that were booked. */
        BookedHotelRoom: {
            /** @description The kind of room that was booked, in the supplier's words. */
            roomName: string;
            /** @description The meals that were booked. */
            board: components["schemas"]["HotelBoard"];
            /** @description Whether the rate was sold as refundable. `cancellationPolicy` states until when. */
            refundable: boolean;
        };
        /** @description The outcome of a cancellation. */
        BookingCancellation: {
            /**
             * Format: date-time
             * @description When the booking was cancelled. RFC 3339, in UTC.
             */
            cancelledAt: string;
            /** @description The penalty: the part of the total that you pay. In minor units of `currency`. */
            penaltyCents: number;
            /** @description What is refunded to your balance. Together with `penaltyCents` it is the total. In minor units of `currency`. */
            refundCents: number;
            /** @description ISO 4217 code of both amounts: that of the booking. */
            currency: string;
            /** @description The reason that you sent; `null` if you sent none. If the supplier cancelled, a sentence that states it. */
            reason: string | null;
        };
        /** @description Which supplier the booking was made with. */
        BookingSupplier: {
            /** @description The supplier's name. */
            name: string;
            /** @description The supplier's own number for the booking; `null` until it has given one. */
            reference: string | null;
        };
        /** @description The outcome of the call that was sent with an Idempotency-Key. */
        CallOutcome: {
            /** @description The key, as you sent it. */
            idempotencyKey: string;
            /** @description The operation that the key was used for, as this document names it; `null` if none is known. */
            operation: string | null;
            /** @description `not_seen`: no call with this key was started, or it was more than 24 hours ago and booked nothing. `running`: a call with it is in progress. `done`: the call succeeded. `failed`: the call had no effect, and nothing is paid for it. `unknown`: the request may have reached the supplier, and its response is not known yet. We are finding out, and the funds stay held. */
            state: "not_seen" | "running" | "done" | "failed" | "unknown" | (string & {});
            /** @description The HTTP status of the stored response; `null` without one, for example after a 5xx. */
            status: number | null;
            /** @description The `X-Request-Id` of the last call with the key; `null` if none is known. */
            requestId: string | null;
            /**
             * Format: date-time
             * @description When the key was first received; `null` if unknown. RFC 3339, in UTC.
             */
            firstSeenAt: string | null;
            /**
             * Format: date-time
             * @description When the stored response was sent; `null` without one. RFC 3339, in UTC.
             */
            answeredAt: string | null;
            /** @description The booking concerned; `null` without one. */
            booking: components["schemas"]["CallOutcomeBooking"] | null;
            /** @description The one safe next step. Following it repeatedly ends with exactly one booking. */
            next: components["schemas"]["CallOutcomeNext"];
        };
        /** @description The booking that the call created or changed, or would have. */
        CallOutcomeBooking: {
            /** @description What kind of booking it is. */
            bookingType: "hotel" | "flight" | "transfer" | "esim" | (string & {});
            /** @description The booking's id. */
            id: string;
            /** @description Its short reference, such as `H-7KQ2M9XD`. */
            reference: string;
            /** @description Its status now. `pending`: its funds are held, and the supplier has not confirmed it yet. `awaiting_approval` (since 1.3): its funds are held, and no supplier has been called: an owner or approver of your account decides until `approvalExpiresAt`. `on_hold` (since 1.3): its seats are kept until `payBy`; it is not paid, and no funds are held. `confirmed`: it is booked. `ticketed`: it is booked, and its tickets are issued or about to be. `provisioned`: the eSIM can be installed. `cancelled`: it was cancelled; `cancellation` has the cost. `failed`: nothing was booked, and nothing is paid. */
            status: "pending" | "awaiting_approval" | "on_hold" | "confirmed" | "ticketed" | "provisioned" | "cancelled" | "failed" | (string & {});
        };
        /** @description The one safe next step. */
        CallOutcomeNext: {
            /** @description `none`: nothing is left to do. `wait`: check again here after `afterSeconds`. `retry_same_key`: send the same request again, with the same key. `use_new_key`: the error is final. If you still want the booking, fix what it names and send the request with a new key. `read_booking`: read the booking of `booking.id`. Do not send the request again. */
            action: "none" | "wait" | "retry_same_key" | "use_new_key" | "read_booking" | (string & {});
            /** @description How many seconds to wait first; 0 if there is no need to wait. */
            afterSeconds: number;
        };
        /** @description Every field is optional. An empty object cancels at any penalty, up to the whole price. */
        CancelRequest: {
            /** @description The reason, for your own records; the booking shows it. It is not sent to the supplier. */
            reason?: string;
            /**
             * Format: int64
             * @description The highest penalty that you accept. Above it: 409 `conflict` with `penaltyCents`, and nothing is cancelled. Left out: any penalty, up to the whole price. In minor units of your account's currency.
             */
            maxPenaltyCents?: number;
            /** @description A cancellation quote of this booking, `cq_…`. Cancelling then costs what was quoted, or less. 410 `offer_expired` once it has expired or was replaced by a newer one; 409 `conflict` with `penaltyCents` if the penalty has risen. Nothing is cancelled then. */
            cancellationQuoteId?: string;
        };
        /** @description The cost of cancelling, guaranteed until `expiresAt`. A newer quote of the same booking replaces it. */
        CancellationQuote: {
            /** @description The quote's id, `cq_…`. Send it to cancel at these terms. */
            cancellationQuoteId: string;
            /** @description The penalty: the part of the paid amount that you lose. In minor units of `currency`. */
            penaltyCents: number;
            /** @description What is refunded to your balance; 0 if the airline issues all of it as its own credit. In minor units of `currency`. */
            refundCents: number;
            /** @description ISO 4217 code of both amounts: that of the booking. */
            currency: string;
            /** @description `balance`: the whole refund goes to your balance. `airline_credit`: all or part of it is issued as `airlineCredits`; cancel with `acceptAirlineCredit`. `none`: nothing is refunded. */
            refundTo: "balance" | "airline_credit" | "none" | (string & {});
            /** @description Credit that the airline would issue to the travellers in place of money. Empty: none. */
            airlineCredits: components["schemas"]["AirlineCredit"][];
            /**
             * Format: date-time
             * @description Until when it can be used: for 20 minutes at most, and not beyond the current step of the terms. From then on 410 `offer_expired`. RFC 3339, in UTC.
             */
            expiresAt: string;
        };
        /** @description Nothing: send `{}` or no body. */
        CancellationQuoteRequest: Record<string, never>;
        /** @description The cost of cancelling from one instant until the next step begins. */
        CancellationStep: {
            /**
             * Format: date-time
             * @description When the step begins. The first step already applies at the time of the response: it begins when it took effect, but not before the search or the booking. RFC 3339, in UTC.
             */
            from: string;
            /** @description The penalty from that instant until the next step begins. In minor units of `currency`. */
            penaltyCents: number;
            /** @description ISO 4217 code of `penaltyCents`: that of the price. */
            currency: string;
        };
        /** @description The booking after a confirmed change. */
        ChangedHotelBooking: {
            /** @description The booking's id. The operations on the booking take it in their path. */
            id: string;
            /** @description A short reference to read out and to print, such as `H-7KQ2M9XD`. The ledger and events use it for the booking. */
            reference: string;
            /** @description Your own reference, as it was sent; `null` if there was none. */
            externalReference: string | null;
            /** @description Your own reference of the trip, as it was sent; `null` if there was none. */
            tripReference: string | null;
            /** @description The environment of the key that made the booking. Another one's keys do not see it. */
            environment: "test" | "live" | (string & {});
            /** @description What the booking costs you in all. In minor units of `currency`. */
            totalCents: number;
            /** @description ISO 4217 code of the booking's amounts: your account's currency, such as `EUR`. */
            currency: string;
            /** @description What your customer pays you, as it was sent. Left out unless it was. In minor units of `currency`. */
            soldForCents?: number;
            /**
             * Format: date-time
             * @description Until when it can be approved; without that, it fails then and its funds are released. Left out unless it is `awaiting_approval`. RFC 3339, in UTC.
             */
            approvalExpiresAt?: string;
            /**
             * Format: date-time
             * @description When the booking was made here. RFC 3339, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When anything of the booking last changed. RFC 3339, in UTC.
             */
            updatedAt: string;
            /** @description Who carries out the booking. */
            supplier: components["schemas"]["BookingSupplier"];
            /** @description Left out unless the supplier charges in another currency: the rate of all the booking's amounts, fixed when it was quoted. A supplier's own terms, passed on word by word, stay in its currency. */
            exchange?: components["schemas"]["ExchangeRate"];
            /** @description `true` once the travellers were forgotten, on request or when their time was over: lists of people are empty then, each name and contact reads `redacted`, and free text is `null`. Left out until then. */
            redacted?: boolean;
            /** @description What the cancellation cost; `null` while the booking is not cancelled. */
            cancellation: components["schemas"]["BookingCancellation"] | null;
            /** @description `pending`: its funds are held, and the supplier has not confirmed it yet. `awaiting_approval` (since 1.3): its funds are held, and no supplier has been called: an owner or approver of your account decides until `approvalExpiresAt`. `confirmed`: it is booked. `cancelled`: it was cancelled; `cancellation` has the cost. `failed`: nothing was booked, and nothing is paid. */
            status: "pending" | "awaiting_approval" | "confirmed" | "cancelled" | "failed" | (string & {});
            /** @description The rate that was booked, `rate_…`. */
            rateId: string;
            /** @description The hotel as it was described when it was searched for. */
            hotel: components["schemas"]["Hotel"];
            /** @description What was booked for each of `rooms`. */
            room: components["schemas"]["BookedHotelRoom"];
            /**
             * Format: date
             * @description The day of arrival at the hotel. `YYYY-MM-DD`.
             */
            checkIn: string;
            /**
             * Format: date
             * @description The day of departure from the hotel. `YYYY-MM-DD`.
             */
            checkOut: string;
            /** @description How many people each room was booked for. */
            rooms: components["schemas"]["HotelRoom"][];
            /** @description Who stays, in the order in which they were sent. */
            guests: components["schemas"]["HotelGuest"][];
            /** @description How the hotel reaches the guests. */
            contact: components["schemas"]["HotelContact"];
            /** @description The request that was sent to the hotel; `null` for none. */
            specialRequests: string | null;
            /** @description The hotel's own number for the booking, to show at its desk; `null` if it gave none. */
            confirmationCode: string | null;
            /** @description The supplier's terms as given at the booking, word for word. Until the booking is confirmed: those of the rate. */
            cancellationPolicy: unknown;
            /** @description What cancelling the booking costs at any instant from now on, earliest step first, each at a different instant; the first applies now. `null` if `cancellationPolicy` cannot be interpreted with certainty. */
            cancellationSteps: components["schemas"]["CancellationStep"][] | null;
            /** @description What the guest pays at the hotel as well; not part of `totalCents`. */
            payAtHotel: components["schemas"]["HotelLocalCharge"][];
            /** @description What the guest should know, such as a deposit at the desk. Empty: nothing provided by the supplier. */
            remarks: components["schemas"]["HotelRemark"][];
            /** @description Why it costs less than usual. `totalCents` has it already. Empty: no discount is named. */
            promotions: components["schemas"]["HotelPromotion"][];
            /** @description What comes free, such as a late check-out. Never money off. Empty: nothing is named. */
            perks: components["schemas"]["HotelPerk"][];
            /** @description How to reach the hotel, as its supplier writes it; `null` if it does not provide it. */
            hotelPhone: string | null;
            /** @description The hotel's own address; `null` if the supplier names none. */
            hotelEmail: string | null;
            /** @description The newest correction of the lead guest's name; `null` before the first, and once the travellers are erased. */
            correction: components["schemas"]["GuestCorrection"] | null;
            /** @description Changes of the stay that were confirmed, oldest first. Empty: none. */
            changes: components["schemas"]["HotelChange"][];
            /** @description A change whose outcome is not known yet: the booking is either as before or as requested, and the service finds out which. Until then it can be neither changed nor cancelled. `null` without one. */
            changeUnderWay: components["schemas"]["HotelChangeUnderWay"] | null;
            /** @description `true`: the money of the change has moved. `false`: the stay is changed and the money is refunded shortly; do not call again. */
            settled: boolean;
        };
        /** @description How to reach the travellers. */
        ContactInput: {
            /**
             * Format: email
             * @description The address that the supplier may write to.
             */
            email: string;
            /** @description The number that the supplier may call. E.164: a plus sign, the country's code and the number, such as `+351210000000`. */
            phone: string;
        };
        /** @description What a phone needs to install the eSIM: the QR code, or the codes behind it. */
        EsimActivation: {
            /** @description The whole activation code, `LPA:1$…`, which the QR code holds. */
            lpa: string;
            /** @description The server that the profile is loaded from, for phones that ask for it separately. */
            smdpAddress: string;
            /** @description The code for that server, for phones that ask for it separately. */
            matchingId: string;
            /** @description The QR code as an SVG picture to show or to send. The address needs no key and cannot be guessed. */
            qrSvgUrl: string;
            /** @description The code that the phone asks for while it installs the profile; `null`: it asks for none. `lpa` then ends in `$$1`. */
            confirmationCode: string | null;
            /** @description Opened on an iPhone with iOS 17.4 or later, this address installs the eSIM without a QR code. */
            directAppleInstallationUrl: string;
            /** @description Opened on an Android device that can hold an eSIM, in its browser not inside an app, this address installs the eSIM without a QR code. Not every device supports it: show the QR code as well. `null`: not offered. */
            androidInstallUrl: string | null;
        };
        /** @description A request to refund an eSIM, which the supplier's staff decide. */
        EsimAskedRefund: {
            /** @description `requested`: the supplier has it. `granted`: money was refunded, and if that was the whole price the order is `cancelled`. `declined`: nothing is refunded, and you may request it again. */
            status: "requested" | "granted" | "declined" | (string & {});
            /** @description The reason for the request. */
            reason: "installation_failure" | "qr_problem" | "deleted_esim" | "incompatible_device" | "locked_device" | "no_coverage" | "blocked_network" | "connection_problem" | "slow_speed" | "hotspot_problem" | "trip_cancelled" | "plans_changed" | "wrong_purchase" | "other" | (string & {});
            /** @description The notes that you sent. */
            notes: string | null;
            /**
             * Format: date-time
             * @description When it was requested. RFC 3339, in UTC.
             */
            requestedAt: string;
            /**
             * Format: date-time
             * @description When we learned of the decision; `null` until then. RFC 3339, in UTC.
             */
            decidedAt: string | null;
            /** @description What was refunded to your balance, 0 if it was declined; `null` until it is decided. In minor units of `currency`. */
            refundedCents: number | null;
            /** @description ISO 4217 code of the amounts next to it, such as `EUR`. */
            currency: string;
        };
        /** @description The networks of one country. */
        EsimCoverage: {
            /** @description The country that the networks are in. ISO 3166-1 alpha-2 code, such as `PT`. */
            country: string;
            /** @description The names of the networks that the eSIM may use there. */
            networks: string[];
        };
        /** @description How to install the eSIM on one kind of device. */
        EsimGuide: {
            /** @description `ios` or `android`. */
            platform: "ios" | "android" | (string & {});
            /** @description The versions of the system that the guide is for, in the supplier's words; `null`: any. */
            version: string | null;
            /** @description The devices that it is for; `null`: any. */
            model: string | null;
            /** @description What to do with the QR code, step by step; may be empty. */
            qrCodeSteps: string[];
            /** @description What to do without a QR code, by typing in the codes of `activation`; may be empty. */
            manualSteps: string[];
            /** @description What to do then, to get onto a network; may be empty. */
            networkSteps: string[];
            /** @description The access point name to type in; `null`: the device finds it automatically. */
            apn: string | null;
            /** @description Whether data roaming must be on; `null`: not provided by the supplier. */
            dataRoaming: boolean | null;
        };
        /** @description How a traveller installs an eSIM. */
        EsimInstructions: {
            /** @description The order of the eSIM, `eord_…`. */
            orderId: string;
            /** @description The number of the eSIM's profile. */
            iccid: string;
            /** @description The language of the steps: `en`, `de`, or with its region, `pt-BR`. `deviceNote` is in English. */
            language: string;
            /** @description Which devices can use the eSIM, and how a traveller finds out, in a sentence. */
            deviceNote: string;
            /** @description The QR code and the codes that the steps refer to. */
            activation: components["schemas"]["EsimActivation"];
            /** @description One guide for each kind of device. */
            guides: components["schemas"]["EsimGuide"][];
        };
        /** @description An eSIM that was bought: its plan, its price, and what a phone needs to install it. */
        EsimOrder: {
            /** @description The booking's id. The operations on the booking take it in their path. */
            id: string;
            /** @description A short reference to read out and to print, such as `H-7KQ2M9XD`. The ledger and events use it for the booking. */
            reference: string;
            /** @description Your own reference, as it was sent; `null` if there was none. */
            externalReference: string | null;
            /** @description Your own reference of the trip, as it was sent; `null` if there was none. */
            tripReference: string | null;
            /** @description The environment of the key that made the booking. Another one's keys do not see it. */
            environment: "test" | "live" | (string & {});
            /** @description What the booking costs you in all. In minor units of `currency`. */
            totalCents: number;
            /** @description ISO 4217 code of the booking's amounts: your account's currency, such as `EUR`. */
            currency: string;
            /** @description What your customer pays you, as it was sent. Left out unless it was. In minor units of `currency`. */
            soldForCents?: number;
            /**
             * Format: date-time
             * @description Until when it can be approved; without that, it fails then and its funds are released. Left out unless it is `awaiting_approval`. RFC 3339, in UTC.
             */
            approvalExpiresAt?: string;
            /**
             * Format: date-time
             * @description When the booking was made here. RFC 3339, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When anything of the booking last changed. RFC 3339, in UTC.
             */
            updatedAt: string;
            /** @description Who carries out the booking. */
            supplier: components["schemas"]["BookingSupplier"];
            /** @description Left out unless the supplier charges in another currency: the rate of all the booking's amounts, fixed when it was quoted. A supplier's own terms, passed on word by word, stay in its currency. */
            exchange?: components["schemas"]["ExchangeRate"];
            /** @description `true` once the travellers were forgotten, on request or when their time was over: lists of people are empty then, each name and contact reads `redacted`, and free text is `null`. Left out until then. */
            redacted?: boolean;
            /** @description What the cancellation cost; `null` while the booking is not cancelled. */
            cancellation: components["schemas"]["BookingCancellation"] | null;
            /** @description `pending`: its funds are held, and the supplier has not confirmed it yet. `awaiting_approval` (since 1.3): its funds are held, and no supplier has been called: an owner or approver of your account decides until `approvalExpiresAt`. `provisioned`: the eSIM can be installed. `cancelled`: it was cancelled; `cancellation` has the cost. `failed`: nothing was booked, and nothing is paid. */
            status: "pending" | "awaiting_approval" | "provisioned" | "cancelled" | "failed" | (string & {});
            /** @description The same as `id`. The event `esim.provisioned` carries it. */
            purchaseId: string;
            /** @description The plan as it was sold, even if the catalogue has changed since. */
            plan: components["schemas"]["EsimOrderPlan"];
            /** @description The number of the eSIM's profile; `null` until it is provisioned. */
            iccid: string | null;
            /** @description What the phone needs to install the eSIM; `null` until it is provisioned. */
            activation: components["schemas"]["EsimActivation"] | null;
            /** @description The newest refund request; `null` before the first. */
            refundRequest: components["schemas"]["EsimAskedRefund"] | null;
            /** @description Top-ups of the eSIM, oldest first, whatever their outcome. Left out if there are none, and when an order is created or listed. */
            topups?: components["schemas"]["EsimTopUp"][];
        };
        /** @description One page of a listing. */
        EsimOrderList: {
            /** @description The rows of this page, newest first. Empty: none match. */
            data: components["schemas"]["EsimOrder"][];
            /** @description Whether another page follows this one. */
            hasMore: boolean;
            /** @description Send it as `cursor`, with the same filters, to read the next page; `null` on the last page. */
            nextCursor: string | null;
        };
        /** @description A plan as it was sold. */
        EsimOrderPlan: {
            /** @description The plan's id, `plan_…`. Send it as `planId` to order. */
            id: string;
            /** @description The plan's name for travellers to read. */
            name: string;
            /** @description `data`: an amount of data. `unlimited`: data without a limit. `voice_sms`: minutes and messages as well. */
            planType: "data" | "unlimited" | "voice_sms" | (string & {});
            /** @description Where the plan works. */
            countries: string[];
            /** @description The region that the plan is sold for; `null` for a plan of one country. */
            region: "africa" | "asia" | "caribbean" | "europe" | "global" | "latin-america" | "middle-east" | "north-america" | "oceania" | (string & {}) | null;
            /** @description How much data it has, in megabytes; `null`: unlimited. */
            dataMb: number | null;
            /** @description For how many days it can be used. */
            validityDays: number;
            /** @description How many minutes of calls it has; 0 for none. */
            voiceMinutes: number;
            /** @description How many text messages it has; 0 for none. */
            smsCount: number;
            /** @description What you pay for it. In minor units of `currency`. */
            priceCents: number;
            /** @description ISO 4217 code of the amounts next to it, such as `EUR`. */
            currency: string;
            /** @description `net`: what you pay. You sell at a price of your own. */
            priceBasis: "net" | (string & {});
            /** @description What the traveller might pay: your price with your account's markup. In minor units of `currency`. */
            suggestedRetailCents: number;
        };
        /** @description The plan to buy. Funds are checked and held before the supplier is called. */
        EsimOrderRequest: {
            /** @description The plan to buy, `plan_…`, from the catalogue. An unknown one: 404. */
            planId: string;
            /** @description Your own reference for the order, 1 to 64 printable characters; spaces at its ends are cut off. Used before for the same plan: 200 and the existing order. Used for another plan: 409 `conflict`. That of a failed order is free again. `null` is the same as none. */
            externalReference?: string | null;
            /** @description Your own reference for the trip that the booking belongs to, 1 to 64 printable characters; spaces at its ends are cut off. Any number of bookings of any product may share it. `GET /v1/bookings` lists all of a trip. `null` is the same as none. */
            tripReference?: string | null;
            /**
             * Format: int64
             * @description What your customer pays you for it. It is printed on the booking's documents with `prices=sold`; nothing else uses it, and no money moves by it. In minor units of your account's currency.
             */
            soldForCents?: number;
            /**
             * Format: int64
             * @description The most that the order may cost. Left out: the plan's `priceCents`. If the price is higher: 409 `price_changed`, and nothing is bought. In minor units of your account's currency.
             */
            maxTotalCents?: number;
        };
        /** @description A plan of the catalogue, at your net price. */
        EsimPlan: {
            /** @description The plan's id, `plan_…`. Send it as `planId` to order. */
            id: string;
            /** @description The plan's name for travellers to read. */
            name: string;
            /** @description `data`: an amount of data. `unlimited`: data without a limit. `voice_sms`: minutes and messages as well. */
            planType: "data" | "unlimited" | "voice_sms" | (string & {});
            /** @description Where the plan works. */
            countries: string[];
            /** @description The region that the plan is sold for; `null` for a plan of one country. */
            region: "africa" | "asia" | "caribbean" | "europe" | "global" | "latin-america" | "middle-east" | "north-america" | "oceania" | (string & {}) | null;
            /** @description How much data it has, in megabytes; `null`: unlimited. */
            dataMb: number | null;
            /** @description For how many days it can be used. */
            validityDays: number;
            /** @description How many minutes of calls it has; 0 for none. */
            voiceMinutes: number;
            /** @description How many text messages it has; 0 for none. */
            smsCount: number;
            /** @description What you pay for it. In minor units of `currency`. */
            priceCents: number;
            /** @description ISO 4217 code of the amounts next to it, such as `EUR`. */
            currency: string;
            /** @description `net`: what you pay. You sell at a price of your own. */
            priceBasis: "net" | (string & {});
            /** @description What the traveller might pay: your price with your account's markup. In minor units of `currency`. */
            suggestedRetailCents: number;
            /** @description The networks of each country. */
            coverage: components["schemas"]["EsimCoverage"][];
            /** @description Which devices can use it, and how a traveller finds out, in a sentence to show before the sale. */
            deviceNote: string;
            /** @description When its days begin. `first_use`: when the eSIM first connects to a supported network, even if it was installed before. `installation`: when it is installed, wherever that is. `null`: not provided by the supplier. */
            activation: "first_use" | "installation" | (string & {}) | null;
            /** @description The number of days after the order within which it has to be installed; later it is lost. `null`: not provided by the supplier. */
            installWithinDays: number | null;
            /** @description When data is slowed down, in the supplier's words, in English; `null` if there is no such rule. */
            fairUsagePolicy: string | null;
            /** @description Further information in the supplier's words, in English; may be empty. */
            notes: string[];
        };
        /** @description One page of the catalogue. */
        EsimPlanList: {
            /** @description The plans of this page. Empty: none match, or this page is after the last. */
            data: components["schemas"]["EsimPlan"][];
            /** @description Which page this is; the first is 1. With a `cursor`: the page of this size that its first plan is on. */
            page: number;
            /** @description How many plans a page has: `pageSize` or `limit`. The last may have fewer. */
            pageSize: number;
            /** @description How many plans match, on all pages together. */
            total: number;
            /** @description Whether another page follows this one. */
            hasMore: boolean;
            /** @description Send it as `cursor`, with the same filters and without `page` and `pageSize`, to read the next page; `null` on the last page. */
            nextCursor: string | null;
            /** @description How many plans the whole catalogue leaves out, whatever the filters; 0 if there are none. */
            withheld: components["schemas"]["EsimPlansWithheld"];
        };
        /** @description How many plans of the supplier are not sold, by reason. */
        EsimPlansWithheld: {
            /** @description The buyer has to prove their identity, which this API does not support. */
            identityCheck: number;
            /** @description The supplier's data is malformed, or the price is in a currency that is not converted to yours. */
            unreadable: number;
        };
        /** @description Why the eSIM is to be refunded. */
        EsimRefundRequest: {
            /**
             * @description Why. `other` needs `notes`.
             * @enum {string}
             */
            reason: "installation_failure" | "qr_problem" | "deleted_esim" | "incompatible_device" | "locked_device" | "no_coverage" | "blocked_network" | "connection_problem" | "slow_speed" | "hotspot_problem" | "trip_cancelled" | "plans_changed" | "wrong_purchase" | "other";
            /** @description Notes for the supplier's staff, 1 to 255 characters. They are sent to the supplier and stored with the order: do not name travellers. */
            notes?: string | null;
        };
        /** @description A plan that was added to an eSIM. `provisioned`: the eSIM has it. */
        EsimTopUp: {
            /** @description The booking's id. The operations on the booking take it in their path. */
            id: string;
            /** @description A short reference to read out and to print, such as `H-7KQ2M9XD`. The ledger and events use it for the booking. */
            reference: string;
            /** @description Your own reference, as it was sent; `null` if there was none. */
            externalReference: string | null;
            /** @description Your own reference of the trip, as it was sent; `null` if there was none. */
            tripReference: string | null;
            /** @description The environment of the key that made the booking. Another one's keys do not see it. */
            environment: "test" | "live" | (string & {});
            /** @description What the booking costs you in all. In minor units of `currency`. */
            totalCents: number;
            /** @description ISO 4217 code of the booking's amounts: your account's currency, such as `EUR`. */
            currency: string;
            /** @description What your customer pays you, as it was sent. Left out unless it was. In minor units of `currency`. */
            soldForCents?: number;
            /**
             * Format: date-time
             * @description Until when it can be approved; without that, it fails then and its funds are released. Left out unless it is `awaiting_approval`. RFC 3339, in UTC.
             */
            approvalExpiresAt?: string;
            /**
             * Format: date-time
             * @description When the booking was made here. RFC 3339, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When anything of the booking last changed. RFC 3339, in UTC.
             */
            updatedAt: string;
            /** @description Who carries out the booking. */
            supplier: components["schemas"]["BookingSupplier"];
            /** @description Left out unless the supplier charges in another currency: the rate of all the booking's amounts, fixed when it was quoted. A supplier's own terms, passed on word by word, stay in its currency. */
            exchange?: components["schemas"]["ExchangeRate"];
            /** @description `true` once the travellers were forgotten, on request or when their time was over: lists of people are empty then, each name and contact reads `redacted`, and free text is `null`. Left out until then. */
            redacted?: boolean;
            /** @description What the cancellation cost; `null` while the booking is not cancelled. */
            cancellation: components["schemas"]["BookingCancellation"] | null;
            /** @description `pending`: its funds are held, and the supplier has not confirmed it yet. `provisioned`: the eSIM can be installed. `cancelled`: it was cancelled; `cancellation` has the cost. `failed`: nothing was booked, and nothing is paid. */
            status: "pending" | "provisioned" | "cancelled" | "failed" | (string & {});
            /** @description The order of the eSIM that was topped up, `eord_…`. */
            orderId: string;
            /** @description The number of the eSIM's profile. */
            iccid: string;
            /** @description The plan that was added, as it was sold. It works where the eSIM does. */
            plan: components["schemas"]["EsimOrderPlan"];
        };
        /** @description What an eSIM can be topped up with, according to its supplier at most five minutes ago. */
        EsimTopUpPlans: {
            /** @description The order of the eSIM, `eord_…`. */
            orderId: string;
            /** @description The plans, the cheapest first; empty: none are currently sold. They work where the eSIM does. */
            plans: components["schemas"]["EsimOrderPlan"][];
        };
        /** @description What to add to the eSIM. Funds are checked and held before the supplier is called. */
        EsimTopUpRequest: {
            /** @description The plan to add, `plan_…`, from the list of this eSIM's top-ups. Another one: 400. One that is no longer sold: 410. */
            planId: string;
            /** @description Your own reference for the top-up, 1 to 64 printable characters; spaces at its ends are cut off. Used before for the same plan and eSIM: 200 and the existing top-up. Used for anything else of yours with eSIMs: 409 `conflict`. That of a failed top-up is free again. `null` is the same as none. */
            externalReference?: string | null;
            /**
             * Format: int64
             * @description What your customer pays you for it. It is printed on the booking's documents with `prices=sold`; nothing else uses it, and no money moves by it. In minor units of your account's currency.
             */
            soldForCents?: number;
            /**
             * Format: int64
             * @description The most that the top-up may cost. Left out: the `priceCents` that you last received. If the price is higher: 409 `price_changed`, and nothing is bought. In minor units of your account's currency.
             */
            maxTotalCents?: number;
        };
        /** @description What an eSIM has used. */
        EsimUsage: {
            /** @description The order, `eord_…`. */
            orderId: string;
            /** @description The number of the eSIM's profile. */
            iccid: string;
            /** @description `not_installed`, `active`, `depleted` or `expired`; `null`: currently not available from the supplier; these are the last known values. */
            status: "not_installed" | "active" | "depleted" | "expired" | (string & {}) | null;
            /** @description How much data the plan has, in megabytes; `null`: unlimited. */
            dataTotalMb: number | null;
            /** @description How much of it is used, in megabytes. */
            dataUsedMb: number;
            /** @description How much of it is left, in megabytes, never below 0; `null`: unlimited. */
            dataRemainingMb: number | null;
            /**
             * Format: date-time
             * @description When the plan ends; `null` until the eSIM is first used. RFC 3339, in UTC.
             */
            validUntil: string | null;
            /**
             * Format: date-time
             * @description When the supplier reported these values; before the first report, when the order last changed. RFC 3339, in UTC.
             */
            lastUpdatedAt: string;
        };
        /** @description The rate that a supplier's prices were converted at: one unit of `base` is `rate` units of `quote`. */
        ExchangeRate: {
            /** @description ISO 4217 code of the currency that the supplier charges in. */
            base: string;
            /** @description ISO 4217 code of the currency that you pay in. */
            quote: string;
            /** @description How many units of `quote` one unit of `base` costs: an exact decimal number, as text. */
            rate: string;
            /**
             * Format: date
             * @description The day that the rate is of, `YYYY-MM-DD`.
             */
            asOf: string;
        };
        /** @description An event as it is delivered. */
        FeedEvent: {
            /** @description The event's id, `evt_…`: the same in its deliveries. */
            id: string;
            /** @description What happened. Ignore types that you do not know. */
            type: string;
            /**
             * Format: date-time
             * @description When it happened. RFC 3339, in UTC.
             */
            createdAt: string;
            /** @description Where it happened: in the sandbox or in the live service. */
            environment: "test" | "live" | (string & {});
            /** @description Its details, as described on the page of its type in the documentation. */
            data: {
                [key: string]: unknown;
            };
            /** @description Which event of its booking it is: 1, 2, 3 and so on, without gaps. Left out if there is no booking, and for events from before 1.2. */
            sequence?: number;
        };
        /** @description A part of the feed. */
        FeedEventList: {
            /** @description The events, oldest first. Empty: none match so far. */
            data: components["schemas"]["FeedEvent"][];
            /** @description Whether to read on immediately. `false`: you have all events so far. */
            hasMore: boolean;
            /** @description Send it as `after` to continue from here. Present on an empty page too. */
            nextAfter: string;
        };
        /** @description Nothing: send `{}` or no body. */
        FlightAcceptScheduleChangeRequest: Record<string, never>;
        /** @description Bags to add to an order. */
        FlightAddServicesRequest: {
            /** @description What to buy, each service once. */
            services: components["schemas"]["FlightServiceInput"][];
            /**
             * Format: int64
             * @description The most that these services may cost together. Left out: what they were listed at. If the price is higher: 409 `price_changed`, and nothing is bought. In minor units of your account's currency.
             */
            maxTotalCents?: number;
        };
        /** @description Which airlines to look for: `include` or `exclude`. */
        FlightAirlinesInput: {
            /** @description Only offers that are sold by these airlines, and whose flights all are. */
            include?: string[];
            /** @description No offer that is sold by one of these airlines, or of which a flight is. */
            exclude?: string[];
        };
        /** @description What the cabin of a flight has. */
        FlightAmenities: {
            /** @description `none`, or its price; `available` if the price is not known. `null` if unknown. */
            wifi: "none" | "free" | "paid" | "free_or_paid" | "available" | (string & {}) | null;
            /** @description Whether the seats have power; `null` if unknown. */
            power: boolean | null;
            /** @description The distance between seat rows in the airline's words, mostly inches, such as `31`; `null` if unknown. */
            seatPitch: string | null;
            /** @description In the airline's words, such as `less`, `standard` or `more`; `null` if unknown. */
            legroom: string | null;
        };
        /** @description The baggage that each passenger of a type may take for the fare, on every flight of the journey. */
        FlightBaggage: {
            /** @description Whose baggage it is. */
            passengerType: "adult" | "child" | "infant" | (string & {});
            /** @description Pieces of hand baggage; `null` if the airline does not provide it. */
            cabin: number | null;
            /** @description Pieces of checked baggage; `null` if the airline does not provide it. */
            checked: number | null;
        };
        /** @description Every field is optional. An empty object cancels at any penalty, up to the whole price. */
        FlightCancelRequest: {
            /** @description The reason, for your own records; the booking shows it. It is not sent to the supplier. */
            reason?: string;
            /**
             * Format: int64
             * @description The highest penalty that you accept. Above it: 409 `conflict` with `penaltyCents`, and nothing is cancelled. Left out: any penalty, up to the whole price. In minor units of your account's currency.
             */
            maxPenaltyCents?: number;
            /** @description A cancellation quote of this booking, `cq_…`. Cancelling then costs what was quoted, or less. 410 `offer_expired` once it has expired or was replaced by a newer one; 409 `conflict` with `penaltyCents` if the penalty has risen. Nothing is cancelled then. */
            cancellationQuoteId?: string;
            /** @description Whether the refund may be issued as the airline's own credit for the travellers, so that nothing is refunded to you. Unless `true`: 409 `conflict` with `refundTo`, and nothing is cancelled. */
            acceptAirlineCredit?: boolean;
        };
        /** @description An airline, by its code and its name. */
        FlightCarrier: {
            /** @description The airline's IATA code, such as `TP`; `YY`, which means any airline, if it has none. */
            code: string;
            /** @description The airline's name for people to read. */
            name: string;
        };
        /** @description A change of the order that was confirmed. */
        FlightChange: {
            /** @description The option that you confirmed, `change_…`. */
            changeId: string;
            /** @description What the change cost, penalty included; negative: it was refunded to you. In minor units of `currency`. */
            differenceCents: number;
            /** @description ISO 4217 code of `differenceCents`, such as `EUR`. */
            currency: string;
            /** @description Whether its money has moved. `false`: it moves shortly, without a further call. */
            settled: boolean;
            /**
             * Format: date-time
             * @description When its money moved; `null` until then. RFC 3339, in UTC.
             */
            settledAt: string | null;
            /**
             * Format: date-time
             * @description When the airline confirmed the change. RFC 3339, in UTC.
             */
            createdAt: string;
        };
        /** @description A leg that can replace another, and the cost. */
        FlightChangeOption: {
            /** @description The option's id, `change_…`. Send it to confirm the change. It is valid until `expiresAt`. */
            changeId: string;
            /** @description What the change costs in all, penalty included; negative: it is refunded to you. In minor units of `currency`. */
            differenceCents: number;
            /** @description ISO 4217 code of this option's amounts: that of the order. */
            currency: string;
            /** @description What the order costs in all after the change. In minor units of `currency`. */
            newTotalCents: number;
            /** @description The airline's fee for changing. It is part of `differenceCents`. In minor units of `currency`. */
            penaltyCents: number;
            /**
             * Format: date-time
             * @description Until when the option can be confirmed: for 20 minutes at most. From then on 410 `offer_expired`. RFC 3339, in UTC.
             */
            expiresAt: string;
            /** @description The leg as it would be flown. */
            slice: components["schemas"]["FlightSlice"];
        };
        /** @description One leg of the order, and what is to be flown in its place. Nothing is changed yet. */
        FlightChangeOptionsRequest: {
            /** @description The leg of the order to replace: a `sliceId` of its `slices`. One that is not on the order: 400. */
            removeSliceId: string;
            /** @description The leg to fly in its place. */
            add: components["schemas"]["FlightSliceInput"];
        };
        /** @description What an order can be changed to. */
        FlightChangeOptionsResponse: {
            /** @description The order to change, `ford_…`. */
            orderId: string;
            /** @description What the airline offers for that day and route. Empty: nothing. */
            options: components["schemas"]["FlightChangeOption"][];
            /** @description Options that were left out. Nothing else is left out without being counted. */
            withheld: components["schemas"]["FlightChangeOptionsWithheld"];
        };
        /** @description How many options the airline named that are not offered, and why. */
        FlightChangeOptionsWithheld: {
            /** @description Their times overlap another slice of the order. */
            outOfOrder: number;
            /** @description They have departed. */
            noLongerSold: number;
            /** @description They have no price in the order's currency, or the airline would keep what they save. */
            unsupported: number;
            /** @description The airline's data of them is malformed. */
            unreadable: number;
        };
        /** @description The option to buy. The cost is held before the airline is called. */
        FlightChangeRequest: {
            /** @description The option to buy, `change_…`, 20 minutes old at most. An older or unknown one: 410 `offer_expired`. */
            changeId: string;
        };
        /** @description A confirmed change, and the order after it. */
        FlightChangeResponse: {
            /** @description The order that was changed, `ford_…`. */
            orderId: string;
            /** @description The option that was confirmed, `change_…`. */
            changeId: string;
            /** @description Always `ticketed`: the tickets are reissued. */
            status: "ticketed" | (string & {});
            /** @description What the change cost, penalty included; negative: it is refunded to you. In minor units of `currency`. */
            differenceCents: number;
            /** @description ISO 4217 code of `differenceCents`: that of the order. */
            currency: string;
            /** @description `true`: the money has moved. `false`: the ticket is reissued and the money is refunded shortly; do not call again. */
            settled: boolean;
            /** @description The whole order as it stands after the change. */
            order: components["schemas"]["FlightOrder"];
        };
        /** @description What the fare allows. */
        FlightConditions: {
            /** @description Whether a cancellation gives money back. */
            refundable: boolean;
            /** @description Whether a leg can be replaced by another. Each change option has the cost. */
            changeable: boolean;
            /** @description The part of the total that cancelling costs: all of it if the fare is not refundable; `null` if the airline does not provide it. In minor units of the price's currency. */
            penaltyCents: number | null;
        };
        /** @description How the airline reaches the passengers. */
        FlightContact: {
            /** @description The e-mail address that the airline was given. */
            email: string;
            /** @description The phone number that the airline was given, in E.164. */
            phone: string;
        };
        /** @description From when to when the first flight of a slice may depart, in the airport's local time; both ends are included. */
        FlightDepartBetweenInput: {
            /** @description The earliest time of departure. Left out: `00:00`. `HH:MM`, local time. */
            from?: string;
            /** @description The latest time of departure. Left out: `23:59`. `HH:MM`, local time. */
            to?: string;
        };
        /** @description A document of a passenger. Its full number is never returned. */
        FlightIdentityDocument: {
            /** @description What kind of document it is. */
            type: "passport" | "tax_id" | "known_traveler_number" | "redress_number" | (string & {});
            /** @description The last four characters of its number. */
            numberLastFour: string;
            /** @description The ISO 3166-1 alpha-2 code of the country that issued it, such as `GB`. */
            issuingCountry: string;
            /**
             * Format: date
             * @description The last day on which it is valid; `null` if none was sent.
             */
            expiresOn: string | null;
        };
        /** @description A document of a passenger. */
        FlightIdentityDocumentInput: {
            /**
             * @description What it is: one of the `documentTypes` of the offer's `requirements`, each at most once for a passenger.
             * @enum {string}
             */
            type: "passport" | "tax_id" | "known_traveler_number" | "redress_number";
            /** @description Its number. It is stored encrypted and read back as its last four characters. 5 to 25 letters, digits and hyphens. */
            number: string;
            /** @description The country that issued it. ISO 3166-1 alpha-2 code in capitals, such as `PT`; `XK` is Kosovo. */
            issuingCountry: string;
            /**
             * Format: date
             * @description The last day on which it is valid; not before the last day of the journey, at the place. Required for a `passport`. `YYYY-MM-DD`, from yesterday to 36525 days ahead, counted in UTC.
             */
            expiresOn?: string;
        };
        /** @description An account of an airline's loyalty programme. Its full number is never returned. */
        FlightLoyaltyAccount: {
            /** @description The IATA code of the airline whose programme it is. */
            airline: string;
            /** @description The last four characters of its number. */
            numberLastFour: string;
        };
        /** @description A passenger's account of an airline's loyalty programme. */
        FlightLoyaltyAccountInput: {
            /** @description Whose programme it is: one of the offer's `loyaltyProgrammes`, each at most once for a passenger. Any other is rejected, because suppliers would ignore it. IATA code of an airline in capitals, such as `TP`. */
            airline: string;
            /** @description The number of the account. It is stored encrypted and read back as its last four characters. With a test key `0000000000` is one that no airline knows: 400, and nothing is booked. 5 to 25 letters, digits and hyphens. */
            number: string;
        };
        /** @description A journey at a price for all passengers together. */
        FlightOffer: {
            /** @description What you pay in all. In minor units of `currency`. */
            totalCents: number;
            /** @description ISO 4217 code of the price: your account's currency, such as `EUR`. */
            currency: string;
            /** @description `net`: what you pay. You sell at a price of your own. */
            priceBasis: "net" | (string & {});
            /** @description What the traveller might pay: `totalCents` with your account's markup. In minor units of `currency`. */
            suggestedRetailCents: number;
            /** @description The offer's id, `offer_…`. Send it to order, or read the offer to check its price again. It is valid until `expiresAt`. */
            offerId: string;
            /**
             * Format: date-time
             * @description Until when the offer can be ordered: for 20 minutes at most. From then on 410 `offer_expired`. RFC 3339, in UTC.
             */
            expiresAt: string;
            /** @description The airline that sells the offer and issues the tickets. */
            carrier: components["schemas"]["FlightSellingCarrier"];
            /** @description The cabin class that was searched for. Each segment has its own. */
            cabin: "economy" | "premium_economy" | "business" | "first" | (string & {});
            /** @description What can be done with the order afterwards. */
            conditions: components["schemas"]["FlightConditions"];
            /** @description What cancelling the order costs at any instant from now on, earliest step first, each at a different instant; the first applies now. `null` if `conditions` cannot be interpreted with certainty. */
            cancellationSteps: components["schemas"]["CancellationStep"][] | null;
            /** @description The airline's name for the fare, such as `Economy Light`; for legs under two brands both, such as `Light / Flex`; `null` if it has no name. */
            fareBrand: string | null;
            /** @description The part of `totalCents` that is fare. With `taxCents` it is the total; `null` if unknown. In minor units of `currency`. */
            baseCents: number | null;
            /** @description The part of `totalCents` that is taxes and charges; `null` if unknown. In minor units of `currency`. */
            taxCents: number | null;
            /** @description Estimated carbon dioxide emissions of all passengers' flights, in kilograms; `null` if unknown. */
            co2Kg: number | null;
            /** @description What the fare includes, once for each type of passenger. Empty: unknown. */
            baggage: components["schemas"]["FlightBaggage"][];
            /** @description The agreements that the price is by. Empty: none applies. */
            privateFares: components["schemas"]["FlightPrivateFare"][];
            /** @description Whether it can be ordered with `hold`, and paid later. `false`: it has to be paid at once. */
            holdable: boolean;
            /**
             * Format: date-time
             * @description Until when the price of an order on hold stays as it is; after that the price may change. `null` if the airline keeps the seats but not the price, or nothing is on hold. RFC 3339, in UTC.
             */
            priceGuaranteedUntil: string | null;
            /**
             * Format: date-time
             * @description Until when an order of it on hold can be paid; `null` if it cannot be held. RFC 3339, in UTC.
             */
            payBy: string | null;
            /** @description What an order needs for each passenger. */
            requirements: components["schemas"]["FlightOfferRequirements"];
            /** @description The IATA codes of the airlines of whose loyalty programmes an order may name accounts. Empty: none. */
            loyaltyProgrammes: string[];
            /** @description The legs of the journey, one for each slice that was searched for. */
            slices: components["schemas"]["FlightSlice"][];
        };
        /** @description What an order of the offer needs for each passenger besides name and age. */
        FlightOfferRequirements: {
            /** @description `required`: every passenger, infants included, needs a document; only searched for with `includeDocumentOffers`. `none`: it can be ordered without. */
            identityDocument: "none" | "required" | (string & {});
            /** @description The types of `identityDocuments` that an order may have; others are refused. Empty: none. Where one is required, a `passport` or `tax_id` is meant if either is listed. */
            documentTypes: ("passport" | "tax_id" | "known_traveler_number" | "redress_number" | (string & {}))[];
        };
        /** @description The airline whose plane and crew fly. */
        FlightOperatingCarrier: {
            /** @description The airline's IATA code, such as `TP`; an empty text if it has none. */
            code: string;
            /** @description The airline's name for people to read. */
            name: string;
        };
        /** @description A journey that was ordered, as it stands now. */
        FlightOrder: {
            /** @description The booking's id. The operations on the booking take it in their path. */
            id: string;
            /** @description A short reference to read out and to print, such as `H-7KQ2M9XD`. The ledger and events use it for the booking. */
            reference: string;
            /** @description Your own reference, as it was sent; `null` if there was none. */
            externalReference: string | null;
            /** @description Your own reference of the trip, as it was sent; `null` if there was none. */
            tripReference: string | null;
            /** @description The environment of the key that made the booking. Another one's keys do not see it. */
            environment: "test" | "live" | (string & {});
            /** @description What the booking costs you in all. In minor units of `currency`. */
            totalCents: number;
            /** @description ISO 4217 code of the booking's amounts: your account's currency, such as `EUR`. */
            currency: string;
            /** @description What your customer pays you, as it was sent. Left out unless it was. In minor units of `currency`. */
            soldForCents?: number;
            /**
             * Format: date-time
             * @description Until when it can be approved; without that, it fails then and its funds are released. Left out unless it is `awaiting_approval`. RFC 3339, in UTC.
             */
            approvalExpiresAt?: string;
            /**
             * Format: date-time
             * @description When the booking was made here. RFC 3339, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When anything of the booking last changed. RFC 3339, in UTC.
             */
            updatedAt: string;
            /** @description Who carries out the booking. */
            supplier: components["schemas"]["BookingSupplier"];
            /** @description Left out unless the supplier charges in another currency: the rate of all the booking's amounts, fixed when it was quoted. A supplier's own terms, passed on word by word, stay in its currency. */
            exchange?: components["schemas"]["ExchangeRate"];
            /** @description `true` once the travellers were forgotten, on request or when their time was over: lists of people are empty then, each name and contact reads `redacted`, and free text is `null`. Left out until then. */
            redacted?: boolean;
            /** @description What the cancellation cost; `null` while the booking is not cancelled. */
            cancellation: components["schemas"]["BookingCancellation"] | null;
            /** @description `pending`: its funds are held, and the supplier has not confirmed it yet. `awaiting_approval` (since 1.3): its funds are held, and no supplier has been called: an owner or approver of your account decides until `approvalExpiresAt`. `on_hold` (since 1.3): its seats are kept until `payBy`; it is not paid, and no funds are held. `ticketed`: it is booked, and its tickets are issued or about to be. `cancelled`: it was cancelled; `cancellation` has the cost. `failed`: nothing was booked, and nothing is paid. */
            status: "pending" | "awaiting_approval" | "on_hold" | "ticketed" | "cancelled" | "failed" | (string & {});
            /** @description The offer that was ordered, `offer_…`. */
            offerId: string;
            /** @description The airline's booking code, which passengers check in with; `null` until the airline has made it. */
            pnr: string | null;
            /** @description The numbers of the issued tickets. Empty until the airline has issued them. */
            ticketNumbers: string[];
            /** @description What the airline has issued. Empty until it has, for an airline that issues no tickets, and once the travellers were erased. */
            documents: components["schemas"]["FlightOrderDocument"][];
            /** @description The airline that issued the tickets. */
            carrier: components["schemas"]["FlightSellingCarrier"];
            /** @description The cabin class that was ordered. Each segment has its own. */
            cabin: "economy" | "premium_economy" | "business" | "first" | (string & {});
            /** @description What can be done with the order now. */
            conditions: components["schemas"]["FlightConditions"];
            /** @description What cancelling the order costs at any instant from now on, earliest step first, each at a different instant; the first applies now. `null` if `conditions` cannot be interpreted with certainty. */
            cancellationSteps: components["schemas"]["CancellationStep"][] | null;
            /**
             * Format: date-time
             * @description Until when the order on hold can be paid; `null` if it was not on hold, or is paid. RFC 3339, in UTC.
             */
            payBy: string | null;
            /**
             * Format: date-time
             * @description Until when the price of an order on hold stays as it is; after that the price may change. `null` if the airline keeps the seats but not the price, or nothing is on hold. RFC 3339, in UTC.
             */
            priceGuaranteedUntil: string | null;
            /** @description The airline's name for the fare, such as `Economy Light`; for legs under two brands both, such as `Light / Flex`; `null` if it has no name. */
            fareBrand: string | null;
            /** @description What the fare includes, once for each type of passenger. Empty: unknown. */
            baggage: components["schemas"]["FlightBaggage"][];
            /** @description The legs of the journey as they stand now, changes by you and by the airline included. */
            slices: components["schemas"]["FlightSlice"][];
            /** @description Who flies, in the order in which they were sent. */
            passengers: components["schemas"]["FlightPassenger"][];
            /** @description How the airline reaches the passengers. */
            contact: components["schemas"]["FlightContact"];
            /** @description Credit that the airline issued to the travellers of a cancelled order in place of money. Empty: none, and once the travellers were erased. */
            airlineCredits: components["schemas"]["AirlineCredit"][];
            /** @description The changes that you confirmed, oldest first. Empty: none. */
            changes: components["schemas"]["FlightChange"][];
            /** @description Schedule changes by the airline, oldest first. `slices` already has them. Empty: none. */
            scheduleChanges: components["schemas"]["FlightScheduleChange"][];
            /** @description The bags and seats that were bought, as the airline has them now. Empty: none. */
            services: components["schemas"]["FlightOrderService"][];
            /** @description Bags and seats lost through a change of the order: the airline no longer has them. Empty: none. */
            servicesLost: components["schemas"]["FlightOrderService"][];
        };
        /** @description A ticket, or the airline's receipt for an extra. */
        FlightOrderDocument: {
            /** @description `electronic_ticket`: a ticket. `emd_associated`: the receipt of a bag or a seat (electronic miscellaneous document) that belongs to a ticket. `emd_standalone`: one that belongs to no ticket. */
            type: "electronic_ticket" | "emd_associated" | "emd_standalone" | (string & {});
            /** @description The airline's number of it. It need not be unique, and differs after a change. */
            number: string;
            /** @description The passenger: an index into `passengers`, from 0; `null` if the airline names none, or several. */
            passenger: number | null;
        };
        /** @description One page of a listing. */
        FlightOrderList: {
            /** @description The rows of this page, newest first. Empty: none match. */
            data: components["schemas"]["FlightOrder"][];
            /** @description Whether another page follows this one. */
            hasMore: boolean;
            /** @description Send it as `cursor`, with the same filters, to read the next page; `null` on the last page. */
            nextCursor: string | null;
        };
        /** @description The offer to order, and for whom. Funds are checked and held before the airline is called. */
        FlightOrderRequest: {
            /** @description The offer to order, `offer_…`, from a search of the last 20 minutes. Later: 410 `offer_expired`. */
            offerId: string;
            /** @description All passengers: as many of each type as in the search. */
            passengers: components["schemas"]["FlightPassengerInput"][];
            /** @description How the airline reaches the passengers. */
            contact: components["schemas"]["ContactInput"];
            /** @description Your own reference for the booking, 1 to 64 printable characters; spaces at its ends are cut off. A second booking with the reference of one that has not failed is refused with 409 `conflict`, which names the first one's `bookingId`. `null` is the same as none. */
            externalReference?: string | null;
            /** @description Your own reference for the trip that the booking belongs to, 1 to 64 printable characters; spaces at its ends are cut off. Any number of bookings of any product may share it. `GET /v1/bookings` lists all of a trip. `null` is the same as none. */
            tripReference?: string | null;
            /**
             * Format: int64
             * @description What your customer pays you for it. It is printed on the booking's documents with `prices=sold`; nothing else uses it, and no money moves by it. In minor units of your account's currency.
             */
            soldForCents?: number;
            /**
             * Format: int64
             * @description The most that the order may cost. Left out: the quoted `totalCents`. If the price is higher: 409 `price_changed`, and nothing is booked. In minor units of your account's currency.
             */
            maxTotalCents?: number;
            /** @description Bags and seats to buy with the fare, each service once. `maxTotalCents` then bounds fare and services together. Left out: none. */
            services?: components["schemas"]["FlightServiceInput"][];
            /**
             * @description `true`: the seats are kept until `payBy`, and the order is paid later by `pay`. The balance must cover the total, but no funds are held. Only offers that are `holdable`, and without `services`; others: 400.
             * @default false
             */
            hold?: boolean;
        };
        /** @description A bag or a seat of an order. `totalCents` is the price of all of `quantity`, and a part of the order's. */
        FlightOrderService: {
            /** @description What it is. New kinds may be added. */
            kind: string;
            /** @description The slices that it is for, in the order in which they are flown. */
            sliceIds: string[];
            /** @description The flights that it is for. */
            segmentIds: string[];
            /** @description What it costs, for all its flights. In minor units of `currency`. */
            totalCents: number;
            /** @description ISO 4217 code of `totalCents`, such as `EUR`. */
            currency: string;
            /** @description What a bag may weigh, in kilograms; `null` for a seat, and if the airline does not provide it. */
            weightKg: number | null;
            /** @description The seat's row and letter, such as `12C`; `null` for a bag. */
            designator: string | null;
            /** @description The id that it was bought by, `service_…`; `null` if the airline added it. */
            serviceId: string | null;
            /** @description The passenger: an index into `passengers`; `null` if the airline does not provide it. */
            passenger: number | null;
            /** @description How many of it were bought. */
            quantity: number;
        };
        /** @description A person who flies. */
        FlightPassenger: {
            /** @description The form of address; `null` if none was sent. */
            title: string | null;
            /** @description `m` or `f`; `null` if none was sent. */
            gender: string | null;
            /** @description Given names, as they were sent. */
            firstName: string;
            /** @description Family name, as it was sent. */
            lastName: string;
            /**
             * Format: date
             * @description The day of birth, `YYYY-MM-DD`.
             */
            dateOfBirth: string;
            /** @description Whether the fare is an adult's, a child's or an infant's. */
            type: "adult" | "child" | "infant" | (string & {});
            /** @description The documents that were sent. Empty: none. */
            identityDocuments: components["schemas"]["FlightIdentityDocument"][];
            /** @description The accounts of loyalty programmes that were sent. Empty: none. */
            loyaltyAccounts: components["schemas"]["FlightLoyaltyAccount"][];
        };
        /** @description How many people travel, by age on the day that the last leg departs. */
        FlightPassengerCountsInput: {
            /**
             * @description How many travellers pay an adult's fare: 12 years old or older when the last leg departs.
             * @default 1
             */
            adults?: number;
            /**
             * @description How many travellers pay a child's fare: 2 to 11 years old when the last leg departs. Adults and children need 9 seats at most.
             * @default 0
             */
            children?: number;
            /**
             * @description How many travellers are younger than 2 when the last leg departs and sit on an adult's lap: at most one for each adult.
             * @default 0
             */
            infants?: number;
            /** @description How old each of the `children` is on the day that the last leg departs: as many ages as children. Fares depend on it, and an order whose children have other ages is rejected. Left out: fares for children of any age. */
            childrenAges?: number[];
        };
        /** @description A person who flies. */
        FlightPassengerInput: {
            /**
             * @description The form of address. Required with a live key.
             * @enum {string}
             */
            title?: "mr" | "ms" | "mrs" | "miss" | "dr";
            /**
             * @description `m` or `f`, as in the passport. Left out: derived from the title. With a live key it is required together with the title `dr`.
             * @enum {string}
             */
            gender?: "m" | "f";
            /** @description Given names, as in the passport. */
            firstName: string;
            /** @description Family name, as in the passport. */
            lastName: string;
            /**
             * Format: date
             * @description The day of birth, from 1900-01-01 to today. On the day that the last leg departs an adult is 12 years old or older, a child 2 to 11, an infant younger than 2. `YYYY-MM-DD`.
             */
            dateOfBirth: string;
            /**
             * @description The kind that this passenger was searched for as.
             * @enum {string}
             */
            type: "adult" | "child" | "infant";
            /** @description Documents, one of each type at most. An offer whose `requirements.identityDocument` is `required` needs one of every passenger, infants included. */
            identityDocuments?: components["schemas"]["FlightIdentityDocumentInput"][];
            /** @description Accounts of loyalty programmes of the offer's `loyaltyProgrammes`, one of each airline at most. */
            loyaltyAccounts?: components["schemas"]["FlightLoyaltyAccountInput"][];
        };
        /** @description An agreement with an airline that an offer is priced by. */
        FlightPrivateFare: {
            /** @description What kind of agreement it is. */
            type: "corporate" | "leisure" | "negotiated" | (string & {});
            /** @description The code that the airline knows; `null` if it names none. */
            corporateCode: string | null;
        };
        /** @description An agreement with an airline, by its codes: at least one of the two. */
        FlightPrivateFareInput: {
            /** @description The airline that the agreement is with. IATA code of an airline in capitals, such as `TP`. */
            airline: string;
            /** @description The code of a company or an agency at the airline. */
            corporateCode?: string;
            /** @description The code of a tour or of an airline's programme for companies. */
            tourCode?: string;
        };
        /** @description A schedule change by the airline. */
        FlightScheduleChange: {
            /** @description The change's id, `schedule_…`. Use it to accept the change. */
            changeId: string;
            /**
             * Format: date-time
             * @description When we learned of it. RFC 3339, in UTC.
             */
            detectedAt: string;
            /**
             * Format: date-time
             * @description The airline's deadline for a response; `null`: it has named none. RFC 3339, in UTC.
             */
            respondBy: string | null;
            /** @description The affected legs as they were. Other legs of the order are left out. */
            before: components["schemas"]["FlightSlice"][];
            /** @description The same legs as the airline flies them now, under the same `sliceId`. Empty: they are no longer flown. */
            after: components["schemas"]["FlightSlice"][];
            /** @description `open`: not accepted yet. `accepted`: by you or at the airline. `superseded`: replaced by a later change of the same legs, by the airline or by you. */
            status: "open" | "accepted" | "superseded" | (string & {});
            /**
             * Format: date-time
             * @description When it was accepted; `null` if it was not. RFC 3339, in UTC.
             */
            acceptedAt: string | null;
            /** @description What you can do now: `accept` it, `change` the order, `cancel` it, or `contact_us`. Empty if it is no longer open. */
            availableActions: ("accept" | "change" | "cancel" | "contact_us" | (string & {}))[];
        };
        /** @description A journey one way, out and back, or of up to six slices: `origin`, `destination` and `departureDate`, or `slices`. */
        FlightSearchRequest: {
            /** @description The airport or city to leave from. Required without `slices`. IATA code in capitals: an airport's, such as `LIS`, or a city's, such as `LON`. */
            origin?: string;
            /** @description The airport or city to arrive at; must differ from `origin`. Required without `slices`. IATA code in capitals: an airport's, such as `LIS`, or a city's, such as `LON`. */
            destination?: string;
            /**
             * Format: date
             * @description The day of departure, in the zone of `origin`. Required without `slices`. `YYYY-MM-DD`, from yesterday to 361 days ahead, counted in UTC.
             */
            departureDate?: string;
            /**
             * Format: date
             * @description The day of the flight back, not before `departureDate`. Left out: one way only. `YYYY-MM-DD`, from yesterday to 361 days ahead, counted in UTC.
             */
            returnDate?: string;
            /** @description The journey in parts, in their order, in place of the four fields above. A part may begin elsewhere than the one before it ends: in the same country, or within 2,000 km. */
            slices?: components["schemas"]["FlightSearchSliceInput"][];
            /** @description Who travels. Left out: one adult. */
            passengers?: components["schemas"]["FlightPassengerCountsInput"];
            /**
             * @description The cabin class to look for.
             * @default economy
             * @enum {string}
             */
            cabin?: "economy" | "premium_economy" | "business" | "first";
            /** @description How often one may change planes on each way; 0 is non-stop. Left out: no limit. */
            maxConnections?: number;
            /** @description Which airlines to look for. Left out: all. */
            airlines?: components["schemas"]["FlightAirlinesInput"];
            /** @description Agreements with airlines, one for each airline at most. Airlines do not check the codes: a wrong code has no effect, and `privateFares` of an offer shows which ones applied. */
            privateFares?: components["schemas"]["FlightPrivateFareInput"][];
            /**
             * @description The order of the offers, and which of them `limit` keeps: the cheapest, those with the shortest `slices` together, or those that depart first.
             * @default price
             * @enum {string}
             */
            sort?: "price" | "duration" | "departure";
            /**
             * @description How many offers the answer may have; the first by `sort` are kept.
             * @default 20
             */
            limit?: number;
            /**
             * @description Whether to include offers that require an identity document of every passenger. Otherwise they are left out and counted in `withheld.documentsRequired`.
             * @default false
             */
            includeDocumentOffers?: boolean;
        };
        /** @description The offers that a search found. */
        FlightSearchResponse: {
            /** @description The search's id, `fsr_…`. Use it to read the search again for 24 hours. */
            id: string;
            /**
             * Format: date-time
             * @description When the search was first made. RFC 3339, in UTC.
             */
            createdAt: string;
            /** @description What the airlines sell, in the order of `sort`, `limit` at most. Empty: nothing was found. */
            offers: components["schemas"]["FlightOffer"][];
            /** @description How many of the suppliers' offers are left out of this response, by reason; 0 if there are none. */
            withheld: components["schemas"]["Withheld"];
        };
        /** @description One part of a journey, from one place to another on a day. */
        FlightSearchSliceInput: {
            /** @description The airport or city to leave from. IATA code in capitals: an airport's, such as `LIS`, or a city's, such as `LON`. */
            origin: string;
            /** @description The airport or city to arrive at; must differ from `origin`. IATA code in capitals: an airport's, such as `LIS`, or a city's, such as `LON`. */
            destination: string;
            /**
             * Format: date
             * @description The day of departure, in the zone of `origin`; not before the slice before it can have arrived. `YYYY-MM-DD`, from yesterday to 361 days ahead, counted in UTC.
             */
            departureDate: string;
            /** @description When the slice may depart on that day. Left out: at any time. */
            departBetween?: components["schemas"]["FlightDepartBetweenInput"];
        };
        /** @description A cabin of a plane, row by row. */
        FlightSeatCabin: {
            /** @description The class of its seats. */
            cabin: "economy" | "premium_economy" | "business" | "first" | (string & {});
            /** @description From front to back; some have no seat. */
            rows: components["schemas"]["FlightSeatRow"][];
        };
        /** @description A part of a row. */
        FlightSeatElement: {
            /** @description What it is. New types may be added: draw them as `empty`. */
            type: string;
            /** @description The seat's row and letter, such as `12C`; `null` for what is no seat. */
            designator: string | null;
            /** @description What the traveller must be shown, in English. */
            disclosures: string[];
            /** @description The passengers it can be bought for. Empty: it is taken, not sold, or not a seat. */
            services: components["schemas"]["FlightSeatService"][];
        };
        /** @description The cabins of one flight. */
        FlightSeatMap: {
            /** @description The flight, as the offer's segments name it. */
            segmentId: string;
            /** @description From front to back. */
            cabins: components["schemas"]["FlightSeatCabin"][];
        };
        /** @description The seats of an offer's flights. */
        FlightSeatMapsResponse: {
            /** @description One for each flight that has a seat map. Empty: the airline provides none, and seats are assigned at check-in. */
            seatMaps: components["schemas"]["FlightSeatMap"][];
        };
        /** @description A row of seats, or one of exits, galleys and lavatories. */
        FlightSeatRow: {
            /** @description From left to right, with an aisle between two. */
            sections: components["schemas"]["FlightSeatSection"][];
        };
        /** @description The part of a row between two aisles. */
        FlightSeatSection: {
            /** @description From left to right. Empty: nothing is there. */
            elements: components["schemas"]["FlightSeatElement"][];
        };
        /** @description A seat for one passenger. */
        FlightSeatService: {
            /** @description The passenger, as in the services of the offer. */
            passenger: number;
            /** @description The id to order it by, `service_…`. */
            serviceId: string;
            /** @description What the seat costs; 0: it is free. In minor units of `currency`. */
            totalCents: number;
            /** @description ISO 4217 code of `totalCents`, such as `EUR`. */
            currency: string;
        };
        /** @description One flight of a leg, without a change of planes. */
        FlightSegment: {
            /** @description The flight's id, `segment_…`: bags and seats name their flights by it. */
            segmentId: string;
            /** @description The airport that the plane leaves from. IATA code, such as `LIS`. */
            origin: string;
            /** @description The airport that the plane arrives at. IATA code, such as `LIS`. */
            destination: string;
            /**
             * Format: date-time
             * @description When the plane leaves `origin`. RFC 3339, in the airport's own zone with its offset, such as `2027-02-03T14:30:00+01:00`.
             */
            departureAt: string;
            /**
             * Format: date-time
             * @description When the plane arrives at `destination`. RFC 3339, in the airport's own zone with its offset, such as `2027-02-03T14:30:00+01:00`.
             */
            arrivalAt: string;
            /** @description From departure to arrival, in minutes. */
            durationMinutes: number;
            /** @description The airline that sells the flight. */
            carrier: components["schemas"]["FlightCarrier"];
            /** @description The airline's code and the number together, such as `TP1363`. */
            flightNumber: string;
            /** @description The airline whose plane flies, which travellers must be informed of if it differs from `carrier`; `null` if unknown. */
            operatingCarrier: components["schemas"]["FlightOperatingCarrier"] | null;
            /** @description The aircraft type, such as `Airbus A320`; `null` if unknown. */
            aircraft: string | null;
            /** @description The terminal that the plane leaves from; `null` if the airport has only one, or if it is unknown. */
            originTerminal: string | null;
            /** @description The terminal that the plane arrives at; `null` if the airport has only one, or if it is unknown. */
            destinationTerminal: string | null;
            /** @description The number under which `operatingCarrier` flies it, its code included where it has one, such as `LH1170`; `null` if unknown. */
            operatingFlightNumber: string | null;
            /** @description The cabin class on this flight, which may differ from the one searched for; the lowest where passengers have different ones; `null` if unknown. */
            cabin: "economy" | "premium_economy" | "business" | "first" | (string & {}) | null;
            /** @description The distance in kilometres; `null` if unknown. */
            distanceKm: number | null;
            /** @description Where the plane lands on the way, in order. Empty: non-stop, as far as the airline reports. */
            stops: components["schemas"]["FlightStop"][];
            /** @description What the cabin has, the lowest where passengers have different ones; `null` if unknown. */
            amenities: components["schemas"]["FlightAmenities"] | null;
        };
        /** @description The airline that sells the journey and issues its tickets. */
        FlightSellingCarrier: {
            /** @description The airline's IATA code, such as `TP`; `YY`, which means any airline, if it has none. */
            code: string;
            /** @description The airline's name for people to read. */
            name: string;
            /** @description Where the airline publishes its conditions of carriage, an `https` address; `null` if unknown. */
            conditionsOfCarriageUrl: string | null;
        };
        /** @description A bag or a seat that can be bought. `totalCents` is the price of one. */
        FlightService: {
            /** @description What it is. New kinds may be added. */
            kind: string;
            /** @description The slices that it is for, in the order in which they are flown. */
            sliceIds: string[];
            /** @description The flights that it is for. */
            segmentIds: string[];
            /** @description What it costs, for all its flights. In minor units of `currency`. */
            totalCents: number;
            /** @description ISO 4217 code of `totalCents`, such as `EUR`. */
            currency: string;
            /** @description What a bag may weigh, in kilograms; `null` for a seat, and if the airline does not provide it. */
            weightKg: number | null;
            /** @description The seat's row and letter, such as `12C`; `null` for a bag. */
            designator: string | null;
            /** @description The service's id, `service_…`. Send it with the order, or to add it to the order. It is valid as long as the offer; of an order for 20 minutes. */
            serviceId: string;
            /** @description The passenger. Of an offer: the index, from 0, in the party of the search: adults first, then children, then infants. The order's adults take the adults' places in the order in which you send them; so do children and infants, and if the search had `childrenAges`, a child takes the first place of their age. Of an order: the index into its `passengers`. */
            passenger: number;
            /** @description How many of it can be bought. */
            maxQuantity: number;
        };
        /** @description A bag or a seat to buy. */
        FlightServiceInput: {
            /** @description The service's id, `service_…`, from the services or the seat maps of this offer or order. */
            serviceId: string;
            /**
             * @description How many: `maxQuantity` of the service at most.
             * @default 1
             */
            quantity?: number;
        };
        /** @description What can be bought in addition to the fare. */
        FlightServicesResponse: {
            /** @description Bags, and seats that the airline lists without a map; other seats are in the seat maps. Bags of several weights are alternatives: one for each passenger and flight. Empty: the airline sells none here. */
            services: components["schemas"]["FlightService"][];
        };
        /** @description One leg of the journey, from where it begins to where it ends. */
        FlightSlice: {
            /** @description The leg's id, `slice_…`. Send it as `removeSliceId` to replace the leg of an order. */
            sliceId: string;
            /** @description The airport that the leg begins at. IATA code, such as `LIS`. */
            origin: string;
            /** @description The airport that the leg ends at. IATA code, such as `LIS`. */
            destination: string;
            /**
             * Format: date-time
             * @description When the leg's first plane leaves. RFC 3339, in the airport's own zone with its offset, such as `2027-02-03T14:30:00+01:00`.
             */
            departureAt: string;
            /**
             * Format: date-time
             * @description When the leg's last plane arrives. RFC 3339, in the airport's own zone with its offset, such as `2027-02-03T14:30:00+01:00`.
             */
            arrivalAt: string;
            /** @description The whole leg in minutes, waits between planes included. */
            durationMinutes: number;
            /** @description The leg's flights in the order in which they are flown. One: no change of planes. */
            segments: components["schemas"]["FlightSegment"][];
            /** @description What the fare includes on this leg. */
            conditions: components["schemas"]["FlightSliceConditions"];
        };
        /** @description What the fare includes on a leg; `null` if the airline does not provide it. */
        FlightSliceConditions: {
            /** @description Whether seats can be chosen ahead without a charge. */
            advanceSeatSelection: boolean | null;
            /** @description Whether the travellers board first. */
            priorityBoarding: boolean | null;
            /** @description Whether the travellers check in at a desk of their own. */
            priorityCheckIn: boolean | null;
        };
        /** @description A leg that replaces another. */
        FlightSliceInput: {
            /** @description The airport that the new leg leaves from. IATA code in capitals, such as `LIS`. */
            origin: string;
            /** @description The airport that the new leg arrives at; must differ from `origin`. IATA code in capitals, such as `LIS`. */
            destination: string;
            /**
             * Format: date
             * @description The day on which the new leg leaves, in the zone of `origin`. `YYYY-MM-DD`, from yesterday to 361 days ahead, counted in UTC.
             */
            departureDate: string;
        };
        /** @description A landing on the way. The flight continues under the same number. */
        FlightStop: {
            /** @description Where the plane lands. IATA code, such as `LIS`. */
            airport: string;
            /**
             * Format: date-time
             * @description When it lands; `null` if unknown. RFC 3339, in the airport's own zone with its offset, such as `2027-02-03T14:30:00+01:00`.
             */
            arrivalAt: string | null;
            /**
             * Format: date-time
             * @description When it departs again; `null` if unknown. RFC 3339, in the airport's own zone with its offset, such as `2027-02-03T14:30:00+01:00`.
             */
            departureAt: string | null;
            /** @description How long it stays there, in minutes; `null` if unknown. */
            durationMinutes: number | null;
        };
        /** @description A hotel with its prices. */
        FoundHotel: {
            /** @description The hotel's id. It stays the same from search to search; a search takes it in `hotelIds`. */
            hotelId: string;
            /** @description The hotel's name as travellers know it. */
            name: string;
            /** @description From 1 to 5; 0 if the supplier does not provide it. */
            stars: number;
            /** @description The hotel's location. */
            address: components["schemas"]["HotelAddress"];
            /** @description The hotel's coordinates. */
            location: components["schemas"]["HotelLocation"];
            /** @description What the hotel offers, in the supplier's words. Empty if not provided yet. */
            amenities: string[];
            /** @description A short description of the hotel, as plain text in the supplier's words. `null` if not provided yet. */
            description: string | null;
            /** @description Pictures of the hotel, the first to be shown first. Empty if none are provided yet. */
            images: components["schemas"]["HotelImage"][];
            /**
             * Format: double
             * @description The guests' average rating, from 0 to 10. `null` if the supplier does not provide it.
             */
            reviewScore: number | null;
            /** @description The earliest check-in time, `HH:MM` in the hotel's local time. `null` if not provided. */
            checkInFrom: string | null;
            /** @description The latest check-out time, `HH:MM` in the hotel's local time. `null` if not provided. */
            checkOutUntil: string | null;
            /** @description The hotel's prices for the stay that was searched for, the 10 cheapest at most. Never empty. */
            rates: components["schemas"]["HotelRate"][];
        };
        /** @description A requested correction of the lead guest's name, handled by the supplier's staff. */
        GuestCorrection: {
            /** @description `requested`: it is with the supplier. `done`: the hotel has the new name, and `guests` shows it. `not_done`: the supplier did not correct it, or the booking was cancelled before; `guests` shows the name as it was. */
            status: "requested" | "done" | "not_done" | (string & {});
            /** @description The guest: an index into `guests`, from 0. */
            guest: number;
            /** @description The requested given name. */
            firstName: string;
            /** @description The requested family name. */
            lastName: string;
            /**
             * Format: date-time
             * @description When it was requested. RFC 3339, in UTC.
             */
            requestedAt: string;
            /**
             * Format: date-time
             * @description When it ended; `null` while it is `requested`. RFC 3339, in UTC.
             */
            decidedAt: string | null;
        };
        /** @description The process is alive. */
        Health: {
            /** @description Always `ok`. */
            status: "ok" | (string & {});
        };
        /** @description The state of each component of the service. */
        HealthReport: {
            /** @description `ok` if every component is; otherwise `degraded`. */
            status: "ok" | "degraded" | (string & {});
            /** @description Each component by name, with its `status` and the duration of its check in `milliseconds`. */
            parts: {
                [key: string]: {
                    [key: string]: unknown;
                };
            };
        };
        /** @description A hotel as its supplier describes it. */
        Hotel: {
            /** @description The hotel's id. It stays the same from search to search; a search takes it in `hotelIds`. */
            hotelId: string;
            /** @description The hotel's name as travellers know it. */
            name: string;
            /** @description From 1 to 5; 0 if the supplier does not provide it. */
            stars: number;
            /** @description The hotel's location. */
            address: components["schemas"]["HotelAddress"];
            /** @description The hotel's coordinates. */
            location: components["schemas"]["HotelLocation"];
            /** @description What the hotel offers, in the supplier's words. Empty if not provided yet. */
            amenities: string[];
            /** @description A short description of the hotel, as plain text in the supplier's words. `null` if not provided yet. */
            description: string | null;
            /** @description Pictures of the hotel, the first to be shown first. Empty if none are provided yet. */
            images: components["schemas"]["HotelImage"][];
            /**
             * Format: double
             * @description The guests' average rating, from 0 to 10. `null` if the supplier does not provide it.
             */
            reviewScore: number | null;
            /** @description The earliest check-in time, `HH:MM` in the hotel's local time. `null` if not provided. */
            checkInFrom: string | null;
            /** @description The latest check-out time, `HH:MM` in the hotel's local time. `null` if not provided. */
            checkOutUntil: string | null;
        };
        /** @description A hotel's postal address. */
        HotelAddress: {
            /** @description Street and number; the city's name if the supplier does not provide it. */
            street: string;
            /** @description The city as the supplier names it. */
            city: string;
            /** @description The country that the hotel is in. ISO 3166-1 alpha-2 code, such as `PT`. */
            countryCode: string;
        };
        /** @description The meals that come with a room. */
        HotelBoard: {
            /** @description `RO` room only, `BB` bed and breakfast, `HB` half board, `FB` full board, `AI` all inclusive. */
            code: string;
            /** @description The same for people to read. */
            name: string;
        };
        /** @description A stay that was booked, as it stands now. */
        HotelBooking: {
            /** @description The booking's id. The operations on the booking take it in their path. */
            id: string;
            /** @description A short reference to read out and to print, such as `H-7KQ2M9XD`. The ledger and events use it for the booking. */
            reference: string;
            /** @description Your own reference, as it was sent; `null` if there was none. */
            externalReference: string | null;
            /** @description Your own reference of the trip, as it was sent; `null` if there was none. */
            tripReference: string | null;
            /** @description The environment of the key that made the booking. Another one's keys do not see it. */
            environment: "test" | "live" | (string & {});
            /** @description What the booking costs you in all. In minor units of `currency`. */
            totalCents: number;
            /** @description ISO 4217 code of the booking's amounts: your account's currency, such as `EUR`. */
            currency: string;
            /** @description What your customer pays you, as it was sent. Left out unless it was. In minor units of `currency`. */
            soldForCents?: number;
            /**
             * Format: date-time
             * @description Until when it can be approved; without that, it fails then and its funds are released. Left out unless it is `awaiting_approval`. RFC 3339, in UTC.
             */
            approvalExpiresAt?: string;
            /**
             * Format: date-time
             * @description When the booking was made here. RFC 3339, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When anything of the booking last changed. RFC 3339, in UTC.
             */
            updatedAt: string;
            /** @description Who carries out the booking. */
            supplier: components["schemas"]["BookingSupplier"];
            /** @description Left out unless the supplier charges in another currency: the rate of all the booking's amounts, fixed when it was quoted. A supplier's own terms, passed on word by word, stay in its currency. */
            exchange?: components["schemas"]["ExchangeRate"];
            /** @description `true` once the travellers were forgotten, on request or when their time was over: lists of people are empty then, each name and contact reads `redacted`, and free text is `null`. Left out until then. */
            redacted?: boolean;
            /** @description What the cancellation cost; `null` while the booking is not cancelled. */
            cancellation: components["schemas"]["BookingCancellation"] | null;
            /** @description `pending`: its funds are held, and the supplier has not confirmed it yet. `awaiting_approval` (since 1.3): its funds are held, and no supplier has been called: an owner or approver of your account decides until `approvalExpiresAt`. `confirmed`: it is booked. `cancelled`: it was cancelled; `cancellation` has the cost. `failed`: nothing was booked, and nothing is paid. */
            status: "pending" | "awaiting_approval" | "confirmed" | "cancelled" | "failed" | (string & {});
            /** @description The rate that was booked, `rate_…`. */
            rateId: string;
            /** @description The hotel as it was described when it was searched for. */
            hotel: components["schemas"]["Hotel"];
            /** @description What was booked for each of `rooms`. */
            room: components["schemas"]["BookedHotelRoom"];
            /**
             * Format: date
             * @description The day of arrival at the hotel. `YYYY-MM-DD`.
             */
            checkIn: string;
            /**
             * Format: date
             * @description The day of departure from the hotel. `YYYY-MM-DD`.
             */
            checkOut: string;
            /** @description How many people each room was booked for. */
            rooms: components["schemas"]["HotelRoom"][];
            /** @description Who stays, in the order in which they were sent. */
            guests: components["schemas"]["HotelGuest"][];
            /** @description How the hotel reaches the guests. */
            contact: components["schemas"]["HotelContact"];
            /** @description The request that was sent to the hotel; `null` for none. */
            specialRequests: string | null;
            /** @description The hotel's own number for the booking, to show at its desk; `null` if it gave none. */
            confirmationCode: string | null;
            /** @description The supplier's terms as given at the booking, word for word. Until the booking is confirmed: those of the rate. */
            cancellationPolicy: unknown;
            /** @description What cancelling the booking costs at any instant from now on, earliest step first, each at a different instant; the first applies now. `null` if `cancellationPolicy` cannot be interpreted with certainty. */
            cancellationSteps: components["schemas"]["CancellationStep"][] | null;
            /** @description What the guest pays at the hotel as well; not part of `totalCents`. */
            payAtHotel: components["schemas"]["HotelLocalCharge"][];
            /** @description What the guest should know, such as a deposit at the desk. Empty: nothing provided by the supplier. */
            remarks: components["schemas"]["HotelRemark"][];
            /** @description Why it costs less than usual. `totalCents` has it already. Empty: no discount is named. */
            promotions: components["schemas"]["HotelPromotion"][];
            /** @description What comes free, such as a late check-out. Never money off. Empty: nothing is named. */
            perks: components["schemas"]["HotelPerk"][];
            /** @description How to reach the hotel, as its supplier writes it; `null` if it does not provide it. */
            hotelPhone: string | null;
            /** @description The hotel's own address; `null` if the supplier names none. */
            hotelEmail: string | null;
            /** @description The newest correction of the lead guest's name; `null` before the first, and once the travellers are erased. */
            correction: components["schemas"]["GuestCorrection"] | null;
            /** @description Changes of the stay that were confirmed, oldest first. Empty: none. */
            changes: components["schemas"]["HotelChange"][];
            /** @description A change whose outcome is not known yet: the booking is either as before or as requested, and the service finds out which. Until then it can be neither changed nor cancelled. `null` without one. */
            changeUnderWay: components["schemas"]["HotelChangeUnderWay"] | null;
        };
        /** @description One page of a listing. */
        HotelBookingList: {
            /** @description The rows of this page, newest first. Empty: none match. */
            data: components["schemas"]["HotelBooking"][];
            /** @description Whether another page follows this one. */
            hasMore: boolean;
            /** @description Send it as `cursor`, with the same filters, to read the next page; `null` on the last page. */
            nextCursor: string | null;
        };
        /** @description The rate to book, and for whom. Funds are checked and held before the supplier is called. */
        HotelBookingRequest: {
            /** @description The rate to book, `rate_…`, from a search of the last 20 minutes. Later: 410 `offer_expired`. */
            rateId: string;
            /** @description All guests. At least one adult per room, and no more adults or children than in the search. */
            guests: components["schemas"]["HotelGuestInput"][];
            /** @description How the hotel reaches the guests. */
            contact: components["schemas"]["ContactInput"];
            /** @description Your own reference for the booking, 1 to 64 printable characters; spaces at its ends are cut off. A second booking with the reference of one that has not failed is refused with 409 `conflict`, which names the first one's `bookingId`. `null` is the same as none. */
            externalReference?: string | null;
            /** @description Your own reference for the trip that the booking belongs to, 1 to 64 printable characters; spaces at its ends are cut off. Any number of bookings of any product may share it. `GET /v1/bookings` lists all of a trip. `null` is the same as none. */
            tripReference?: string | null;
            /**
             * Format: int64
             * @description What your customer pays you for it. It is printed on the booking's documents with `prices=sold`; nothing else uses it, and no money moves by it. In minor units of your account's currency.
             */
            soldForCents?: number;
            /** @description A request to the hotel in plain words, such as a quiet room. It is passed on; the hotel may not fulfil it. */
            specialRequests?: string;
            /**
             * Format: int64
             * @description The most that the booking may cost. Left out: the quoted `totalCents`. If the price is higher: 409 `price_changed`, and nothing is booked. In minor units of your account's currency.
             */
            maxTotalCents?: number;
        };
        /** @description A change of the booking that was confirmed. */
        HotelChange: {
            /** @description The option that was taken, `change_…`. */
            changeId: string;
            /** @description What the change added to the total, penalty included; negative: it was refunded to you. In minor units of `currency`. */
            differenceCents: number;
            /** @description The penalty for giving up the earlier stay. It is part of the booking's `totalCents`. In minor units of `currency`. */
            penaltyCents: number;
            /** @description ISO 4217 code of both amounts: that of the booking. */
            currency: string;
            /** @description Whether its money has moved. `false`: it moves shortly, without a further call. */
            settled: boolean;
            /**
             * Format: date-time
             * @description When its money moved; `null` until then. RFC 3339, in UTC.
             */
            settledAt: string | null;
            /**
             * Format: date-time
             * @description When the change was confirmed. RFC 3339, in UTC.
             */
            createdAt: string;
        };
        /** @description Another stay at the same hotel, and what changing to it costs. */
        HotelChangeOption: {
            /** @description The option's id, `change_…`. Send it to confirm the change. It is valid until `expiresAt`. */
            changeId: string;
            /**
             * Format: date
             * @description The day of arrival. `YYYY-MM-DD`.
             */
            checkIn: string;
            /**
             * Format: date
             * @description The day of departure. `YYYY-MM-DD`.
             */
            checkOut: string;
            /** @description The rooms that the price covers, and what they are. */
            rooms: components["schemas"]["HotelRoom"][];
            /** @description The kind of room, in the supplier's words. */
            roomName: string;
            /** @description Which meals the price covers. */
            board: components["schemas"]["HotelBoard"];
            /** @description Whether cancelling the new stay can cost less than its whole price, and whether it can be changed again. */
            refundable: boolean;
            /** @description What the new stay costs. In minor units of `currency`. */
            totalCents: number;
            /** @description ISO 4217 code of this option's amounts: that of the booking. */
            currency: string;
            /** @description What the change adds to what you have paid: `totalCents` and `penaltyCents`, less what was paid for the current stay. Negative: it is refunded to you. In minor units of `currency`. */
            differenceCents: number;
            /** @description The penalty for giving up the current stay by its cancellation terms. It is part of `differenceCents` and is not refunded if the new stay is cancelled. In minor units of `currency`. */
            penaltyCents: number;
            /** @description The supplier's own terms of the new stay, word for word. */
            cancellationPolicy: unknown;
            /** @description What cancelling the new stay costs at any instant from now on, earliest step first, each at a different instant; the first applies now. `null` if `cancellationPolicy` cannot be interpreted with certainty. */
            cancellationSteps: components["schemas"]["CancellationStep"][] | null;
            /** @description What the guest pays at the hotel as well; not part of `totalCents`. */
            payAtHotel: components["schemas"]["HotelLocalCharge"][];
            /**
             * Format: date-time
             * @description Until when the option can be confirmed: for 20 minutes at most, and not beyond the next of the booking's `cancellationSteps`. From then on 410 `offer_expired`. RFC 3339, in UTC.
             */
            expiresAt: string;
        };
        /** @description What a booking can be changed to. */
        HotelChangeOptions: {
            /** @description The booking to change, `hbk_…`. */
            bookingId: string;
            /** @description What the hotel has for that stay, the cheapest first. Empty: nothing. */
            options: components["schemas"]["HotelChangeOption"][];
            /** @description How many of the suppliers' options are left out of this response, by reason; 0 if there are none. */
            withheld: components["schemas"]["Withheld"];
        };
        /** @description What to change: at least one of the three. What you leave out stays as it is. Nothing is changed yet. */
        HotelChangeOptionsRequest: {
            /**
             * Format: date
             * @description The new day of arrival, not in the past by the hotel's local date. `YYYY-MM-DD`, from yesterday to 540 days ahead, counted in UTC.
             */
            checkIn?: string;
            /**
             * Format: date
             * @description The new day of departure, after `checkIn`, 30 nights later at most. `YYYY-MM-DD`, from yesterday to 540 days ahead, counted in UTC.
             */
            checkOut?: string;
            /** @description The new rooms. Each needs an adult of the booking, and every guest of the booking a place: children by their ages. */
            rooms?: components["schemas"]["HotelRoomInput"][];
        };
        /** @description The option to take. The cost is held before the supplier is called. */
        HotelChangeRequest: {
            /** @description The option, `change_…`, 20 minutes old at most. An older or unknown one: 410 `offer_expired`. */
            changeId: string;
            /**
             * Format: int64
             * @description The most that the booking may cost after the change: its `totalCents` with the option's `differenceCents`. Left out: as quoted. If the price is higher: 409 `price_changed`, and nothing is changed. In minor units of your account's currency.
             */
            maxTotalCents?: number;
        };
        /** @description A change in progress whose outcome is not known yet. */
        HotelChangeUnderWay: {
            /** @description The option that was to be taken, `change_…`. */
            changeId: string;
            /**
             * Format: date-time
             * @description When the change began. RFC 3339, in UTC.
             */
            startedAt: string;
        };
        /** @description How the hotel reaches the guests. */
        HotelContact: {
            /** @description The e-mail address that the hotel was given. */
            email: string;
            /** @description The phone number that the hotel was given, in E.164. */
            phone: string;
        };
        /** @description A corrected name of the lead guest, whose name the hotel has for the booking. */
        HotelCorrectGuestRequest: {
            /** @description The guest: an index into the booking's `guests`, from 0. Suppliers correct the lead guest only, the first adult; any other: 409 `conflict`. */
            guest: number;
            /** @description The given name, as in the guest's passport. */
            firstName: string;
            /** @description The family name, as in the guest's passport. */
            lastName: string;
        };
        /** @description Where to search: a city, a country or both by name; or a place from the place search. */
        HotelDestinationInput: {
            /** @description The city's name, such as `Lisbon`. Send `countryCode` as well if there are several of that name, or if the city is small. */
            city?: string;
            /** @description The country to look in. Without `city`: hotels anywhere in it. ISO 3166-1 alpha-2 code in capitals, such as `PT`; `XK` is Kosovo. */
            countryCode?: string;
            /** @description A place's `placeId`, `plc_…`, alone. A city: that city; an airport: 15 km around it; a landmark: 5 km around it; a hotel: that hotel. Cities that share their name with a larger one, or are small: 10 km around the centre. */
            placeId?: string;
        };
        /** @description A facility or service that a hotel offers. */
        HotelFacility: {
            /** @description The same for all hotels and languages, such as `wifi` or `indoor_pool`. `null` if none of ours matches. */
            code: string | null;
            /** @description In the supplier's words, in `language`. */
            name: string;
        };
        /** @description A person who stays. */
        HotelGuest: {
            /** @description The given name, as it was sent. */
            firstName: string;
            /** @description The family name, as it was sent. */
            lastName: string;
            /** @description Whether the guest was booked as an adult or as a child. */
            type: "adult" | "child" | (string & {});
            /** @description In whole years; `null` for adults, and for children whose age was not sent. */
            age: number | null;
        };
        /** @description A person who stays. */
        HotelGuestInput: {
            /** @description The given name, as in the guest's passport. */
            firstName: string;
            /** @description The family name, as in the guest's passport. */
            lastName: string;
            /**
             * @description `child` for guests of up to 17 years, as in the search.
             * @enum {string}
             */
            type: "adult" | "child";
            /** @description In whole years at check-in; of children only. Children have the `childrenAges` that were searched for, in any order. Left out: one of those that no other child has. */
            age?: number;
        };
        /** @description One of the hotel's rules. */
        HotelHouseRule: {
            /** @description What it is about: `children`, `pets`, `parking`, `internet`, `groups` and others; `other` if not specified. */
            kind: string;
            /** @description A title for people to read. */
            name: string;
            /** @description The rule, as plain text. */
            text: string;
        };
        /** @description A picture of a hotel. */
        HotelImage: {
            /** @description Where the picture is: an address that needs no key. */
            url: string;
            /** @description What it shows; an empty text if not provided. */
            caption: string;
        };
        /** @description A charge that the guest pays at the hotel, such as a city tax. */
        HotelLocalCharge: {
            /** @description What it is for, such as a city tax. */
            description: string;
            /** @description What the guest pays at the hotel. In minor units of `currency`. */
            amountCents: number;
            /** @description ISO 4217 code of `amountCents`. Often not the booking's currency. */
            currency: string;
        };
        /** @description A point on the map, in WGS 84. */
        HotelLocation: {
            /**
             * Format: double
             * @description In degrees; south is negative.
             */
            latitude: number;
            /**
             * Format: double
             * @description In degrees; west is negative.
             */
            longitude: number;
        };
        /** @description A circle on the map. */
        HotelLocationInput: {
            /**
             * Format: double
             * @description Of the circle's centre, in degrees; south is negative.
             */
            latitude: number;
            /**
             * Format: double
             * @description Of the circle's centre, in degrees; west is negative.
             */
            longitude: number;
            /**
             * Format: double
             * @description How far from the centre a hotel may lie, in kilometres.
             * @default 10
             */
            radiusKm?: number;
        };
        /** @description The lowest price of a hotel for a day of arrival. */
        HotelMinRate: {
            /**
             * Format: date
             * @description The day of arrival. `YYYY-MM-DD`.
             */
            checkIn: string;
            /** @description Which hotel it is. */
            hotelId: string;
            /** @description The lowest price that the supplier gives for the whole stay and all its rooms. For lists and calendars only: it includes no information on meals, terms and local charges, and a search quotes the price to book, which may differ. In minor units of `currency`. */
            totalCents: number;
            /** @description ISO 4217 code of the amounts next to it, such as `EUR`. */
            currency: string;
        };
        /** @description The lowest prices of some hotels for some days. */
        HotelMinRates: {
            /** @description One entry for each hotel and day that has a price, by day and then by price. Empty: nothing is available. */
            data: components["schemas"]["HotelMinRate"][];
            /** @description How much is left out of this response; 0 if nothing is. */
            withheld: components["schemas"]["WithheldMinRates"];
        };
        /** @description Which hotels, which days of arrival, and who stays. */
        HotelMinRatesRequest: {
            /** @description The hotels to compare, by the `hotelId` of a search. Send either these or `destination`. */
            hotelIds?: string[];
            /** @description A place to compare hotels in: its 50 best known ones. */
            destination?: components["schemas"]["HotelDestinationInput"];
            /**
             * Format: date
             * @description The first day of arrival. `YYYY-MM-DD`, from yesterday to 540 days ahead, counted in UTC.
             */
            from: string;
            /**
             * Format: date
             * @description The last day of arrival; 31 days at most with the first. Every seven days or part of them count as one search. `YYYY-MM-DD`, from yesterday to 540 days ahead, counted in UTC.
             */
            to: string;
            /**
             * @description How long each stay is.
             * @default 1
             */
            nights?: number;
            /** @description One entry for each room that is needed. Left out: one room for two adults. A price covers all of them. */
            rooms?: components["schemas"]["HotelRoomInput"][];
            /** @description The guests' nationality: some hotels sell at another price to residents. ISO 3166-1 alpha-2 code in capitals, such as `PT`; `XK` is Kosovo. */
            guestNationality?: string;
        };
        /** @description Something that comes free. */
        HotelPerk: {
            /** @description What it is, in the supplier's words. */
            name: string;
        };
        /** @description What guests must know before they arrive. Times are `HH:MM` in the hotel's local time, `null` if not provided. */
        HotelPolicies: {
            /** @description The earliest check-in time. */
            checkInFrom: string | null;
            /** @description The latest check-in time. */
            checkInUntil: string | null;
            /** @description The latest check-out time. */
            checkOutUntil: string | null;
            /** @description What the front desk will ask for, such as a deposit, an identity card or a resort fee, and how to get the keys. Plain text with line breaks. Show it before the booking. */
            importantInformation: string | null;
            /** @description The hotel's rules. Empty: none are known. */
            items: components["schemas"]["HotelHouseRule"][];
        };
        /** @description A discount. It is already included in `totalCents`: do not subtract it. */
        HotelPromotion: {
            /** @description The supplier's name for it. */
            name: string;
            /**
             * Format: date
             * @description The first day it applies; `null` if the supplier does not provide it. `YYYY-MM-DD`.
             */
            from: string | null;
            /**
             * Format: date
             * @description The last day it applies; `null` if the supplier does not provide it. `YYYY-MM-DD`.
             */
            to: string | null;
            /**
             * Format: double
             * @description Its size if it is a percentage; otherwise `null`. For display only.
             */
            percent: number | null;
        };
        /** @description All that is known of a hotel, in one language. */
        HotelProperty: {
            /** @description The hotel's id, as searches have it. */
            hotelId: string;
            /** @description The hotel's name as travellers know it. */
            name: string;
            /**
             * Format: double
             * @description From 1 to 5, in halves. `null` if the supplier does not provide it.
             */
            stars: number | null;
            /** @description The hotel's location. */
            address: components["schemas"]["HotelPropertyAddress"];
            /** @description The hotel's coordinates. `null` if unknown: such a hotel is not sold. */
            location: components["schemas"]["HotelLocation"] | null;
            /** @description The chain that it belongs to; `null` for none. */
            chain: string | null;
            /**
             * Format: double
             * @description The guests' average rating, from 0 to 10. `null` if the supplier does not provide it.
             */
            reviewScore: number | null;
            /** @description The number of reviews behind `reviewScore`. `null` if the supplier does not provide it. */
            reviewCount: number | null;
            /**
             * Format: date-time
             * @description When its content changed here. RFC 3339, in UTC.
             */
            updatedAt: string;
            /** @description A description of the hotel in several paragraphs of plain text. `null` if not provided. */
            description: string | null;
            /** @description Pictures of the hotel, the first to be shown first. */
            images: components["schemas"]["HotelImage"][];
            /** @description What the hotel offers. */
            facilities: components["schemas"]["HotelFacility"][];
            /** @description The kinds of rooms that it has. */
            rooms: components["schemas"]["HotelPropertyRoom"][];
            /** @description What guests must know before they arrive. */
            policies: components["schemas"]["HotelPolicies"];
            /** @description The kind of property, in the supplier's words. `null` if not provided. */
            kind: string | null;
            /** @description IATA code of the nearest airport. `null` if none is named. */
            airport: string | null;
            /** @description The hotel's own number. `null` if the supplier does not provide it. */
            phone: string | null;
            /** @description The available languages. ISO 639-1 code of a language, such as `de`. */
            languages: string[];
            /** @description The language of all texts. ISO 639-1 code of a language, such as `de`. `en` if the hotel has no description in the requested one. */
            language: string;
        };
        /** @description A postal address. Parts that the supplier does not provide are empty. */
        HotelPropertyAddress: {
            /** @description Street and number. */
            line: string;
            /** @description The city as the supplier names it. */
            city: string;
            /** @description The postal code. */
            zip: string;
            /** @description The country that the hotel is in. ISO 3166-1 alpha-2 code, such as `PT`. */
            countryCode: string;
        };
        /** @description A kind of room in the hotel. A rate's own `rooms` show which of them it is for. */
        HotelPropertyRoom: {
            /** @description The kind of room, in the supplier's words. */
            name: string;
            /** @description Plain text. `null` if the supplier does not provide it. */
            description: string | null;
            /** @description Pictures of the room, the first to be shown first. */
            images: components["schemas"]["HotelImage"][];
            /** @description Its beds, in the supplier's words, such as `1 double bed`. `null` if it does not provide it. */
            beds: string | null;
            /** @description In square metres. `null` if the supplier does not provide it. */
            sizeM2: number | null;
            /** @description How many people may sleep in it. `null` if the supplier does not provide it. */
            maxOccupancy: number | null;
            /** @description What the room has, in the supplier's words. */
            amenities: string[];
            /** @description Its views, in the supplier's words. */
            views: string[];
        };
        /** @description A hotel in a list. Read it by its `hotelId` for texts, rooms, facilities and policies. */
        HotelPropertySummary: {
            /** @description The hotel's id, as searches have it. */
            hotelId: string;
            /** @description The hotel's name as travellers know it. */
            name: string;
            /**
             * Format: double
             * @description From 1 to 5, in halves. `null` if the supplier does not provide it.
             */
            stars: number | null;
            /** @description The hotel's location. */
            address: components["schemas"]["HotelPropertyAddress"];
            /** @description The hotel's coordinates. `null` if unknown: such a hotel is not sold. */
            location: components["schemas"]["HotelLocation"] | null;
            /** @description The chain that it belongs to; `null` for none. */
            chain: string | null;
            /**
             * Format: double
             * @description The guests' average rating, from 0 to 10. `null` if the supplier does not provide it.
             */
            reviewScore: number | null;
            /** @description The number of reviews behind `reviewScore`. `null` if the supplier does not provide it. */
            reviewCount: number | null;
            /**
             * Format: date-time
             * @description When its content changed here. RFC 3339, in UTC.
             */
            updatedAt: string;
            /** @description Its main picture. `null` without one. */
            image: components["schemas"]["HotelImage"] | null;
            /** @description `true`: its supplier has withdrawn it, and reading it gets 404. Only with `updatedSince`. */
            deleted: boolean;
        };
        /** @description One page of a listing. */
        HotelPropertySummaryList: {
            /** @description The rows of this page, the oldest change first. Empty: none match. */
            data: components["schemas"]["HotelPropertySummary"][];
            /** @description Whether another page follows this one. */
            hasMore: boolean;
            /** @description Send it as `cursor`, with the same filters, to read the next page; `null` on the last page. */
            nextCursor: string | null;
        };
        /** @description A price for the whole stay and all its rooms. */
        HotelRate: {
            /** @description What you pay in all. In minor units of `currency`. */
            totalCents: number;
            /** @description ISO 4217 code of the price: your account's currency, such as `EUR`. */
            currency: string;
            /** @description `net`: what you pay. You sell at a price of your own. */
            priceBasis: "net" | (string & {});
            /** @description What the traveller might pay: `totalCents` with your account's markup. If the supplier sets a minimum price for public display, it is never below that. In minor units of `currency`. */
            suggestedRetailCents: number;
            /** @description The rate's id, `rate_…`. Send it to book. It is valid until `expiresAt`. */
            rateId: string;
            /** @description The kind of room, in the supplier's words. */
            roomName: string;
            /** @description Which meals the price covers. */
            board: components["schemas"]["HotelBoard"];
            /** @description Whether a cancellation can cost less than the whole price. `cancellationPolicy` states until when. */
            refundable: boolean;
            /** @description The supplier's own terms, word for word. Their form differs from supplier to supplier. */
            cancellationPolicy: unknown;
            /** @description What cancelling the stay costs at any instant from now on, earliest step first, each at a different instant; the first applies now. `null` if `cancellationPolicy` cannot be interpreted with certainty. */
            cancellationSteps: components["schemas"]["CancellationStep"][] | null;
            /** @description What the guest pays at the hotel as well; not part of `totalCents`. Empty: none known. */
            payAtHotel: components["schemas"]["HotelLocalCharge"][];
            /**
             * Format: date-time
             * @description Until when the rate can be booked: for 20 minutes at most. From then on 410 `offer_expired`. RFC 3339, in UTC.
             */
            expiresAt: string;
            /** @description What each room of the stay is, in the order of the search's `rooms`. Empty if the supplier does not provide it. */
            rooms: components["schemas"]["HotelRoomKind"][];
            /** @description The taxes and fees that the supplier itemises, those included in `totalCents` first. Empty: none known. */
            taxes: components["schemas"]["HotelTax"][];
            /** @description `totalCents` plus all of `payAtHotel`. `null` if a part of that is in another currency and cannot be added. In minor units of `currency`. */
            totalWithLocalChargesCents: number | null;
            /** @description What the guest should know, such as a deposit at the desk. Empty: nothing provided by the supplier. */
            remarks: components["schemas"]["HotelRemark"][];
            /** @description Why it costs less than usual. `totalCents` has it already. Empty: no discount is named. */
            promotions: components["schemas"]["HotelPromotion"][];
            /** @description What comes free, such as a late check-out. Never money off. Empty: nothing is named. */
            perks: components["schemas"]["HotelPerk"][];
        };
        /** @description Something that the guest should know. */
        HotelRemark: {
            /** @description What it is about: a `deposit`, a `resort_fee`, how to get the `keys`, or `information` of any kind, also if the supplier does not specify it. Of bookings alone: `know_before_you_go`, `mandatory_fees` and `optional_fees` at the hotel, `check_in_instructions`. */
            kind: "deposit" | "resort_fee" | "keys" | "information" | "know_before_you_go" | "mandatory_fees" | "optional_fees" | "check_in_instructions" | (string & {});
            /** @description For people to read, as plain text. Amounts in it appear in no other field unless that field states so. */
            text: string;
        };
        /** @description One room, whom it is for, and what it is. Its details are `null` if the supplier does not provide them. */
        HotelRoom: {
            /** @description The kind of room, in the supplier's words. */
            name: string | null;
            /** @description Its beds, in the supplier's words, such as `1 double bed`. `null` if it does not provide it. */
            beds: string | null;
            /** @description How many people may sleep in it. `null` if the supplier does not provide it. */
            maxOccupancy: number | null;
            /** @description Its size in square metres. `null` if the supplier does not provide it. */
            sizeM2: number | null;
            /** @description How many adults the price covers in this room. */
            adults: number;
            /** @description The ages in years of the children whom the price covers in this room. */
            childrenAges: number[];
        };
        /** @description Who sleeps in one room. An empty object: two adults. */
        HotelRoomInput: {
            /**
             * @description How many adults sleep in this room.
             * @default 2
             */
            adults?: number;
            /** @description The age in whole years of each child in this room, one entry a child. Empty: no children. */
            childrenAges?: number[];
        };
        /** @description What a room is. */
        HotelRoomKind: {
            /** @description The kind of room, in the supplier's words. */
            name: string | null;
            /** @description Its beds, in the supplier's words, such as `1 double bed`. `null` if it does not provide it. */
            beds: string | null;
            /** @description How many people may sleep in it. `null` if the supplier does not provide it. */
            maxOccupancy: number | null;
            /** @description Its size in square metres. `null` if the supplier does not provide it. */
            sizeM2: number | null;
        };
        /** @description The hotels that a search found, each with its rates. */
        HotelSearch: {
            /** @description The search's id, `hsr_…`. Use it to read this response again for 24 hours, without using the quota. */
            id: string;
            /** @description Always `completed`: prices have settled before the response is sent. */
            status: "completed" | (string & {});
            /**
             * Format: date
             * @description The day of arrival that the prices are for. `YYYY-MM-DD`.
             */
            checkIn: string;
            /**
             * Format: date
             * @description The day of departure that the prices are for. `YYYY-MM-DD`.
             */
            checkOut: string;
            /**
             * Format: date-time
             * @description When the search was first made. RFC 3339, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the last of its rates can no longer be booked: 20 minutes after `createdAt`. RFC 3339, in UTC.
             */
            expiresAt: string;
            /** @description The hotels that have a price, `limit` at most, or a page of them. Empty: nothing was found. */
            hotels: components["schemas"]["FoundHotel"][];
            /** @description How many of the suppliers' rates are left out of this response, by reason; 0 if there are none. */
            withheld: components["schemas"]["Withheld"];
            /** @description ISO 639-1 code of the language of texts, for hotels that have a description in it; `en` unless another was requested. */
            language: string;
            /** @description Send it as `cursor` to `GET /v1/hotels/searches/{id}` to read the hotels that follow; `null` if there are none, and always without `pageSize`. */
            nextCursor: string | null;
        };
        /** @description Every field is optional. If several limit the location, a hotel must satisfy all of them. */
        HotelSearchRequest: {
            /** @description A city, a country or a place to search in. */
            destination?: components["schemas"]["HotelDestinationInput"];
            /** @description Hotels to search, by the `hotelId` of an earlier response. */
            hotelIds?: string[];
            /** @description A circle on the map to search in. */
            location?: components["schemas"]["HotelLocationInput"];
            /**
             * Format: date
             * @description The day of arrival. Left out: the day before `checkOut`, or 30 days ahead if that is left out too. `YYYY-MM-DD`, from yesterday to 540 days ahead, counted in UTC.
             */
            checkIn?: string;
            /**
             * Format: date
             * @description The day of departure, after `checkIn`, 30 nights later at most. Left out: the day after `checkIn`. `YYYY-MM-DD`, from yesterday to 540 days ahead, counted in UTC.
             */
            checkOut?: string;
            /** @description One entry for each room that is needed. Left out: one room for two adults. A rate covers all of them. */
            rooms?: components["schemas"]["HotelRoomInput"][];
            /** @description The guests' nationality: some hotels sell at another price to residents. ISO 3166-1 alpha-2 code in capitals, such as `PT`; `XK` is Kosovo. */
            guestNationality?: string;
            /**
             * @description `true`: only rates with a cancellation that costs less than the whole price.
             * @default false
             */
            refundableOnly?: boolean;
            /**
             * Format: int64
             * @description Leave out rates whose `totalCents` is above this. In minor units of your account's currency.
             */
            maxTotalCents?: number;
            /** @description Only hotels with one of these numbers of stars. A half star counts as none: 4.5 is 4. */
            stars?: number[];
            /** @description Only rates with one of these boards, by `board.code`. */
            boards?: ("RO" | "BB" | "HB" | "FB" | "AI")[];
            /** @description Only hotels with all of these facilities. A hotel whose facilities are not known has none. */
            facilities?: ("wifi" | "valet_parking" | "ev_charging" | "parking" | "indoor_pool" | "outdoor_pool" | "pool" | "hot_tub" | "sauna" | "spa" | "massage" | "gym" | "restaurant" | "bar" | "breakfast" | "room_service" | "air_conditioning" | "heating" | "pets_allowed" | "airport_shuttle" | "shuttle" | "reception_24h" | "wheelchair_accessible" | "family_rooms" | "non_smoking_rooms" | "lift" | "luggage_storage" | "safe" | "laundry" | "bicycle_rental" | "car_rental" | "meeting_rooms" | "business_center" | "concierge" | "butler" | "tour_desk" | "babysitting" | "kids_club" | "playground" | "kitchen" | "barbecue" | "garden" | "terrace" | "beach" | "tennis" | "golf" | "ski_storage")[];
            /**
             * Format: double
             * @description Only hotels with this `reviewScore` or a better one. One without a score has none.
             */
            minReviewScore?: number;
            /** @description Only hotels with this in their name. Capitals, accents and punctuation are ignored. */
            name?: string;
            /**
             * @description The order of the hotels, and which of them `limit` keeps: the cheapest first (by the cheapest rate), the best `reviewScore`, the most `stars`, or the nearest to the centre of `location`, which is then required. Left out: the supplier's order.
             * @enum {string}
             */
            sort?: "price" | "review_score" | "stars" | "distance";
            /** @description The language of descriptions, amenities and names of rooms, such as `de` or `pt-BR`, of which the first part counts. A hotel that is not described in it yet has them in English. If no hotel has a description in it: English, and `language` in the response is `en`. */
            language?: string;
            /**
             * @description How many hotels the search may find.
             * @default 20
             */
            limit?: number;
            /** @description How many of them this response may have. Read the others by `nextCursor`, free. Left out: all. */
            pageSize?: number;
        };
        /** @description A tax or fee of a stay. */
        HotelTax: {
            /** @description What it is, such as VAT or a city tax. */
            description: string;
            /** @description How much it is for the whole stay and all its rooms. In minor units of `currency`. */
            amountCents: number;
            /** @description ISO 4217 code of `amountCents`. Often not that of `totalCents`. */
            currency: string;
            /** @description `true`: part of `totalCents`. `false`: paid at the hotel, and also in `payAtHotel`. */
            included: boolean;
        };
        /** @description One movement of money. Entries are never changed or removed. */
        LedgerEntry: {
            /** @description The entry's id, `led_…`. */
            id: string;
            /** @description `top_up`: money that you paid in. `hold`: held for a booking. `capture`: paid. `release`: no longer held. `refund`: refunded after it was paid. `adjustment`: corrected by us. */
            type: "top_up" | "hold" | "capture" | "release" | "refund" | "adjustment" | (string & {});
            /** @description The change of the available balance; negative: it went down. In minor units of the account's currency. */
            amountCents: number;
            /** @description The change of the held money; negative: it went down. In minor units of the account's currency. */
            heldDeltaCents: number;
            /** @description The available balance after this entry. In minor units of the account's currency. */
            availableAfterCents: number;
            /** @description The held money after this entry. In minor units of the account's currency. */
            heldAfterCents: number;
            /** @description `hotel`, `flight`, `transfer` or `esim`; `null` if the entry belongs to no booking. */
            bookingType: string | null;
            /** @description The booking's short reference, such as `H-7KQ2M9XD`; `null` if there is no booking. */
            bookingReference: string | null;
            /** @description The key whose call caused the entry, `key_…`; `null` if no key did. */
            keyId: string | null;
            /** @description What the entry was for, in a few words. */
            description: string;
            /**
             * Format: date-time
             * @description When the money moved. RFC 3339, in UTC.
             */
            createdAt: string;
        };
        /** @description A page of ledger entries, newest first, with the current balance. */
        LedgerEntryList: {
            /** @description ISO 4217 code of your account's currency, such as `EUR`. */
            currency: string;
            /** @description What can be spent now. In minor units of `currency`. */
            availableCents: number;
            /** @description What is held for bookings that are not paid yet; not part of `availableCents`. In minor units of `currency`. */
            heldCents: number;
            /** @description The rows of this page, newest first. Empty: none match. */
            data: components["schemas"]["LedgerEntry"][];
            /** @description Whether another page follows this one. */
            hasMore: boolean;
            /** @description Send it as `cursor`, with the same filters, to read the next page; `null` on the last page. */
            nextCursor: string | null;
        };
        /** @description An eSIM order in the list of all bookings. */
        ListedEsimOrder: {
            /** @description The booking's id. The operations on the booking take it in their path. */
            id: string;
            /** @description A short reference to read out and to print, such as `H-7KQ2M9XD`. The ledger and events use it for the booking. */
            reference: string;
            /** @description Your own reference, as it was sent; `null` if there was none. */
            externalReference: string | null;
            /** @description Your own reference of the trip, as it was sent; `null` if there was none. */
            tripReference: string | null;
            /** @description The environment of the key that made the booking. Another one's keys do not see it. */
            environment: "test" | "live" | (string & {});
            /** @description What the booking costs you in all. In minor units of `currency`. */
            totalCents: number;
            /** @description ISO 4217 code of the booking's amounts: your account's currency, such as `EUR`. */
            currency: string;
            /** @description What your customer pays you, as it was sent. Left out unless it was. In minor units of `currency`. */
            soldForCents?: number;
            /**
             * Format: date-time
             * @description Until when it can be approved; without that, it fails then and its funds are released. Left out unless it is `awaiting_approval`. RFC 3339, in UTC.
             */
            approvalExpiresAt?: string;
            /**
             * Format: date-time
             * @description When the booking was made here. RFC 3339, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When anything of the booking last changed. RFC 3339, in UTC.
             */
            updatedAt: string;
            /** @description Who carries out the booking. */
            supplier: components["schemas"]["BookingSupplier"];
            /** @description Left out unless the supplier charges in another currency: the rate of all the booking's amounts, fixed when it was quoted. A supplier's own terms, passed on word by word, stay in its currency. */
            exchange?: components["schemas"]["ExchangeRate"];
            /** @description `true` once the travellers were forgotten, on request or when their time was over: lists of people are empty then, each name and contact reads `redacted`, and free text is `null`. Left out until then. */
            redacted?: boolean;
            /** @description What the cancellation cost; `null` while the booking is not cancelled. */
            cancellation: components["schemas"]["BookingCancellation"] | null;
            /** @description `pending`: its funds are held, and the supplier has not confirmed it yet. `awaiting_approval` (since 1.3): its funds are held, and no supplier has been called: an owner or approver of your account decides until `approvalExpiresAt`. `provisioned`: the eSIM can be installed. `cancelled`: it was cancelled; `cancellation` has the cost. `failed`: nothing was booked, and nothing is paid. */
            status: "pending" | "awaiting_approval" | "provisioned" | "cancelled" | "failed" | (string & {});
            /** @description The same as `id`. The event `esim.provisioned` carries it. */
            purchaseId: string;
            /** @description The plan as it was sold, even if the catalogue has changed since. */
            plan: components["schemas"]["EsimOrderPlan"];
            /** @description The number of the eSIM's profile; `null` until it is provisioned. */
            iccid: string | null;
            /** @description What the phone needs to install the eSIM; `null` until it is provisioned. */
            activation: components["schemas"]["EsimActivation"] | null;
            /** @description The newest refund request; `null` before the first. */
            refundRequest: components["schemas"]["EsimAskedRefund"] | null;
            /** @description Top-ups of the eSIM, oldest first, whatever their outcome. Left out if there are none, and when an order is created or listed. */
            topups?: components["schemas"]["EsimTopUp"][];
            /**
             * @description That it is an eSIM order. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            bookingType: "esim";
        };
        /** @description A flight order in the list of all bookings. */
        ListedFlightOrder: {
            /** @description The booking's id. The operations on the booking take it in their path. */
            id: string;
            /** @description A short reference to read out and to print, such as `H-7KQ2M9XD`. The ledger and events use it for the booking. */
            reference: string;
            /** @description Your own reference, as it was sent; `null` if there was none. */
            externalReference: string | null;
            /** @description Your own reference of the trip, as it was sent; `null` if there was none. */
            tripReference: string | null;
            /** @description The environment of the key that made the booking. Another one's keys do not see it. */
            environment: "test" | "live" | (string & {});
            /** @description What the booking costs you in all. In minor units of `currency`. */
            totalCents: number;
            /** @description ISO 4217 code of the booking's amounts: your account's currency, such as `EUR`. */
            currency: string;
            /** @description What your customer pays you, as it was sent. Left out unless it was. In minor units of `currency`. */
            soldForCents?: number;
            /**
             * Format: date-time
             * @description Until when it can be approved; without that, it fails then and its funds are released. Left out unless it is `awaiting_approval`. RFC 3339, in UTC.
             */
            approvalExpiresAt?: string;
            /**
             * Format: date-time
             * @description When the booking was made here. RFC 3339, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When anything of the booking last changed. RFC 3339, in UTC.
             */
            updatedAt: string;
            /** @description Who carries out the booking. */
            supplier: components["schemas"]["BookingSupplier"];
            /** @description Left out unless the supplier charges in another currency: the rate of all the booking's amounts, fixed when it was quoted. A supplier's own terms, passed on word by word, stay in its currency. */
            exchange?: components["schemas"]["ExchangeRate"];
            /** @description `true` once the travellers were forgotten, on request or when their time was over: lists of people are empty then, each name and contact reads `redacted`, and free text is `null`. Left out until then. */
            redacted?: boolean;
            /** @description What the cancellation cost; `null` while the booking is not cancelled. */
            cancellation: components["schemas"]["BookingCancellation"] | null;
            /** @description `pending`: its funds are held, and the supplier has not confirmed it yet. `awaiting_approval` (since 1.3): its funds are held, and no supplier has been called: an owner or approver of your account decides until `approvalExpiresAt`. `on_hold` (since 1.3): its seats are kept until `payBy`; it is not paid, and no funds are held. `ticketed`: it is booked, and its tickets are issued or about to be. `cancelled`: it was cancelled; `cancellation` has the cost. `failed`: nothing was booked, and nothing is paid. */
            status: "pending" | "awaiting_approval" | "on_hold" | "ticketed" | "cancelled" | "failed" | (string & {});
            /** @description The offer that was ordered, `offer_…`. */
            offerId: string;
            /** @description The airline's booking code, which passengers check in with; `null` until the airline has made it. */
            pnr: string | null;
            /** @description The numbers of the issued tickets. Empty until the airline has issued them. */
            ticketNumbers: string[];
            /** @description What the airline has issued. Empty until it has, for an airline that issues no tickets, and once the travellers were erased. */
            documents: components["schemas"]["FlightOrderDocument"][];
            /** @description The airline that issued the tickets. */
            carrier: components["schemas"]["FlightSellingCarrier"];
            /** @description The cabin class that was ordered. Each segment has its own. */
            cabin: "economy" | "premium_economy" | "business" | "first" | (string & {});
            /** @description What can be done with the order now. */
            conditions: components["schemas"]["FlightConditions"];
            /** @description What cancelling the order costs at any instant from now on, earliest step first, each at a different instant; the first applies now. `null` if `conditions` cannot be interpreted with certainty. */
            cancellationSteps: components["schemas"]["CancellationStep"][] | null;
            /**
             * Format: date-time
             * @description Until when the order on hold can be paid; `null` if it was not on hold, or is paid. RFC 3339, in UTC.
             */
            payBy: string | null;
            /**
             * Format: date-time
             * @description Until when the price of an order on hold stays as it is; after that the price may change. `null` if the airline keeps the seats but not the price, or nothing is on hold. RFC 3339, in UTC.
             */
            priceGuaranteedUntil: string | null;
            /** @description The airline's name for the fare, such as `Economy Light`; for legs under two brands both, such as `Light / Flex`; `null` if it has no name. */
            fareBrand: string | null;
            /** @description What the fare includes, once for each type of passenger. Empty: unknown. */
            baggage: components["schemas"]["FlightBaggage"][];
            /** @description The legs of the journey as they stand now, changes by you and by the airline included. */
            slices: components["schemas"]["FlightSlice"][];
            /** @description Who flies, in the order in which they were sent. */
            passengers: components["schemas"]["FlightPassenger"][];
            /** @description How the airline reaches the passengers. */
            contact: components["schemas"]["FlightContact"];
            /** @description Credit that the airline issued to the travellers of a cancelled order in place of money. Empty: none, and once the travellers were erased. */
            airlineCredits: components["schemas"]["AirlineCredit"][];
            /** @description The changes that you confirmed, oldest first. Empty: none. */
            changes: components["schemas"]["FlightChange"][];
            /** @description Schedule changes by the airline, oldest first. `slices` already has them. Empty: none. */
            scheduleChanges: components["schemas"]["FlightScheduleChange"][];
            /** @description The bags and seats that were bought, as the airline has them now. Empty: none. */
            services: components["schemas"]["FlightOrderService"][];
            /** @description Bags and seats lost through a change of the order: the airline no longer has them. Empty: none. */
            servicesLost: components["schemas"]["FlightOrderService"][];
            /**
             * @description That it is a flight order. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            bookingType: "flight";
        };
        /** @description A hotel booking in the list of all bookings. */
        ListedHotelBooking: {
            /** @description The booking's id. The operations on the booking take it in their path. */
            id: string;
            /** @description A short reference to read out and to print, such as `H-7KQ2M9XD`. The ledger and events use it for the booking. */
            reference: string;
            /** @description Your own reference, as it was sent; `null` if there was none. */
            externalReference: string | null;
            /** @description Your own reference of the trip, as it was sent; `null` if there was none. */
            tripReference: string | null;
            /** @description The environment of the key that made the booking. Another one's keys do not see it. */
            environment: "test" | "live" | (string & {});
            /** @description What the booking costs you in all. In minor units of `currency`. */
            totalCents: number;
            /** @description ISO 4217 code of the booking's amounts: your account's currency, such as `EUR`. */
            currency: string;
            /** @description What your customer pays you, as it was sent. Left out unless it was. In minor units of `currency`. */
            soldForCents?: number;
            /**
             * Format: date-time
             * @description Until when it can be approved; without that, it fails then and its funds are released. Left out unless it is `awaiting_approval`. RFC 3339, in UTC.
             */
            approvalExpiresAt?: string;
            /**
             * Format: date-time
             * @description When the booking was made here. RFC 3339, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When anything of the booking last changed. RFC 3339, in UTC.
             */
            updatedAt: string;
            /** @description Who carries out the booking. */
            supplier: components["schemas"]["BookingSupplier"];
            /** @description Left out unless the supplier charges in another currency: the rate of all the booking's amounts, fixed when it was quoted. A supplier's own terms, passed on word by word, stay in its currency. */
            exchange?: components["schemas"]["ExchangeRate"];
            /** @description `true` once the travellers were forgotten, on request or when their time was over: lists of people are empty then, each name and contact reads `redacted`, and free text is `null`. Left out until then. */
            redacted?: boolean;
            /** @description What the cancellation cost; `null` while the booking is not cancelled. */
            cancellation: components["schemas"]["BookingCancellation"] | null;
            /** @description `pending`: its funds are held, and the supplier has not confirmed it yet. `awaiting_approval` (since 1.3): its funds are held, and no supplier has been called: an owner or approver of your account decides until `approvalExpiresAt`. `confirmed`: it is booked. `cancelled`: it was cancelled; `cancellation` has the cost. `failed`: nothing was booked, and nothing is paid. */
            status: "pending" | "awaiting_approval" | "confirmed" | "cancelled" | "failed" | (string & {});
            /** @description The rate that was booked, `rate_…`. */
            rateId: string;
            /** @description The hotel as it was described when it was searched for. */
            hotel: components["schemas"]["Hotel"];
            /** @description What was booked for each of `rooms`. */
            room: components["schemas"]["BookedHotelRoom"];
            /**
             * Format: date
             * @description The day of arrival at the hotel. `YYYY-MM-DD`.
             */
            checkIn: string;
            /**
             * Format: date
             * @description The day of departure from the hotel. `YYYY-MM-DD`.
             */
            checkOut: string;
            /** @description How many people each room was booked for. */
            rooms: components["schemas"]["HotelRoom"][];
            /** @description Who stays, in the order in which they were sent. */
            guests: components["schemas"]["HotelGuest"][];
            /** @description How the hotel reaches the guests. */
            contact: components["schemas"]["HotelContact"];
            /** @description The request that was sent to the hotel; `null` for none. */
            specialRequests: string | null;
            /** @description The hotel's own number for the booking, to show at its desk; `null` if it gave none. */
            confirmationCode: string | null;
            /** @description The supplier's terms as given at the booking, word for word. Until the booking is confirmed: those of the rate. */
            cancellationPolicy: unknown;
            /** @description What cancelling the booking costs at any instant from now on, earliest step first, each at a different instant; the first applies now. `null` if `cancellationPolicy` cannot be interpreted with certainty. */
            cancellationSteps: components["schemas"]["CancellationStep"][] | null;
            /** @description What the guest pays at the hotel as well; not part of `totalCents`. */
            payAtHotel: components["schemas"]["HotelLocalCharge"][];
            /** @description What the guest should know, such as a deposit at the desk. Empty: nothing provided by the supplier. */
            remarks: components["schemas"]["HotelRemark"][];
            /** @description Why it costs less than usual. `totalCents` has it already. Empty: no discount is named. */
            promotions: components["schemas"]["HotelPromotion"][];
            /** @description What comes free, such as a late check-out. Never money off. Empty: nothing is named. */
            perks: components["schemas"]["HotelPerk"][];
            /** @description How to reach the hotel, as its supplier writes it; `null` if it does not provide it. */
            hotelPhone: string | null;
            /** @description The hotel's own address; `null` if the supplier names none. */
            hotelEmail: string | null;
            /** @description The newest correction of the lead guest's name; `null` before the first, and once the travellers are erased. */
            correction: components["schemas"]["GuestCorrection"] | null;
            /** @description Changes of the stay that were confirmed, oldest first. Empty: none. */
            changes: components["schemas"]["HotelChange"][];
            /** @description A change whose outcome is not known yet: the booking is either as before or as requested, and the service finds out which. Until then it can be neither changed nor cancelled. `null` without one. */
            changeUnderWay: components["schemas"]["HotelChangeUnderWay"] | null;
            /**
             * @description That it is a hotel booking. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            bookingType: "hotel";
        };
        /** @description A transfer order in the list of all bookings. */
        ListedTransferOrder: {
            /** @description The booking's id. The operations on the booking take it in their path. */
            id: string;
            /** @description A short reference to read out and to print, such as `H-7KQ2M9XD`. The ledger and events use it for the booking. */
            reference: string;
            /** @description Your own reference, as it was sent; `null` if there was none. */
            externalReference: string | null;
            /** @description Your own reference of the trip, as it was sent; `null` if there was none. */
            tripReference: string | null;
            /** @description The environment of the key that made the booking. Another one's keys do not see it. */
            environment: "test" | "live" | (string & {});
            /** @description What the booking costs you in all. In minor units of `currency`. */
            totalCents: number;
            /** @description ISO 4217 code of the booking's amounts: your account's currency, such as `EUR`. */
            currency: string;
            /** @description What your customer pays you, as it was sent. Left out unless it was. In minor units of `currency`. */
            soldForCents?: number;
            /**
             * Format: date-time
             * @description Until when it can be approved; without that, it fails then and its funds are released. Left out unless it is `awaiting_approval`. RFC 3339, in UTC.
             */
            approvalExpiresAt?: string;
            /**
             * Format: date-time
             * @description When the booking was made here. RFC 3339, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When anything of the booking last changed. RFC 3339, in UTC.
             */
            updatedAt: string;
            /** @description Who carries out the booking. */
            supplier: components["schemas"]["BookingSupplier"];
            /** @description Left out unless the supplier charges in another currency: the rate of all the booking's amounts, fixed when it was quoted. A supplier's own terms, passed on word by word, stay in its currency. */
            exchange?: components["schemas"]["ExchangeRate"];
            /** @description `true` once the travellers were forgotten, on request or when their time was over: lists of people are empty then, each name and contact reads `redacted`, and free text is `null`. Left out until then. */
            redacted?: boolean;
            /** @description What the cancellation cost; `null` while the booking is not cancelled. */
            cancellation: components["schemas"]["BookingCancellation"] | null;
            /** @description `pending`: its funds are held, and the supplier has not confirmed it yet. `awaiting_approval` (since 1.3): its funds are held, and no supplier has been called: an owner or approver of your account decides until `approvalExpiresAt`. `confirmed`: it is booked. `cancelled`: it was cancelled; `cancellation` has the cost. `failed`: nothing was booked, and nothing is paid. */
            status: "pending" | "awaiting_approval" | "confirmed" | "cancelled" | "failed" | (string & {});
            /** @description The same as `id`. */
            orderId: string;
            /** @description The offer that was ordered, `quote_…`. */
            quoteId: string;
            /** @description What happened to the held funds. */
            settlement: components["schemas"]["TransferSettlement"];
            /** @description Where they are driven, as in the search. */
            to: components["schemas"]["TransferPlace"];
            /** @description The time that was searched for, in local time: `YYYY-MM-DDTHH:MM:SS`, without offset. */
            outbound: string;
            /** @description How many people the order is for. */
            passengers: components["schemas"]["TransferPassengers"];
            /** @description The vehicle that was ordered. */
            vehicle: components["schemas"]["TransferVehicle"];
            /** @description How long the drive takes, in minutes; `null` if the supplier does not provide it. */
            durationMinutes: number | null;
            /** @description The traveller whom the driver meets. */
            leadPassenger: components["schemas"]["TransferLeadPassenger"];
            /** @description The flight, train or ship that was sent; `null` if there was none. */
            flightNumber: string | null;
            /** @description The note to the driver; `null` for none. */
            notes: string | null;
            /** @description What cancelling costs and from when on, earliest step first. Before the first step it is free. */
            cancellationPolicy: components["schemas"]["TransferCancellationPolicyStep"][];
            /** @description What cancelling the order costs at any instant from now on, earliest step first, each at a different instant; the first applies now. `null` if `cancellationPolicy` cannot be interpreted with certainty. */
            cancellationSteps: components["schemas"]["CancellationStep"][] | null;
            /** @description Terms that travellers must be informed of, in the supplier's words. Empty: none. */
            remarks: string[];
            /** @description How long driver and travellers wait for each other at the pick-up. Empty if the supplier does not provide it. */
            waitingTimes: components["schemas"]["TransferWaitingTime"][];
            /** @description Where and when the driver waits; `null` until the order is confirmed. */
            pickup: components["schemas"]["TransferPickup"] | null;
            /** @description Who drives, for the voucher; `null` if the supplier does not name it, and until the order is confirmed. */
            operator: components["schemas"]["TransferOperator"] | null;
            /** @description The time of the way back that was searched for, in local time; `null`: one way. `YYYY-MM-DDTHH:MM:SS`, without offset. */
            inbound: string | null;
            /** @description The flight, train or ship of the way back that was sent; `null` if there was none. */
            inboundFlightNumber: string | null;
            /** @description The way there and, of a return trip, the way back. `vehicle`, `durationMinutes`, `remarks`, `waitingTimes` and `pickup` next to them are those of the way there. */
            legs: components["schemas"]["TransferOrderLeg"][];
            /** @description What was ordered with the drive; `totalCents` includes it. Empty: nothing. */
            extras: components["schemas"]["TransferOrderExtra"][];
            /** @description Where the travellers are picked up, as in the search. */
            from: components["schemas"]["TransferPlace"];
            /**
             * @description That it is a transfer order. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            bookingType: "transfer";
        };
        /** @description Whether live keys can be created. An approval lasts 365 days. */
        LiveApproval: {
            /** @description `none`: not requested. `requested`: under review. `approved`: live keys can be created. `lapsed`: it has ended; live keys keep working, but none can be created or rotated. */
            status: "none" | "requested" | "approved" | "lapsed" | (string & {});
            /**
             * Format: date-time
             * @description When the last approval ends or ended; `null` if there was none. RFC 3339, in UTC.
             */
            approvedUntil: string | null;
        };
        /** @description A month that has a statement. */
        Month: {
            /** @description The month, `YYYY-MM`, in UTC. */
            month: string;
            /** @description Whether the statement is final. It is, one hour after the end of the month. */
            closed: boolean;
        };
        /** @description Every field is optional; an empty object pays the order's `totalCents`. */
        PayFlightOrderRequest: {
            /**
             * Format: int64
             * @description The most that the payment may cost. Left out: the order's `totalCents`. If the price is higher: 409 `price_changed`, and nothing is paid. In minor units of your account's currency.
             */
            maxTotalCents?: number;
        };
        /** @description The service responds. */
        Ping: {
            /** @description Always `ok`. */
            status: "ok" | (string & {});
            /**
             * Format: date-time
             * @description The service's clock, RFC 3339, in UTC.
             */
            time: string;
        };
        /** @description A city, an airport, a hotel or a landmark. */
        Place: {
            /** @description The place's id, `plc_…`. Hotel searches take it as their destination. It stays the same. */
            placeId: string;
            /** @description What kind of place it is. */
            type: "city" | "airport" | "hotel" | "landmark" | (string & {});
            /** @description The name to show, in English or in the local language. */
            name: string;
            /** @description The IATA code of an airport, or of a city that has its own. Flight and transfer searches take it. IATA code, such as `LIS`. */
            code: string | null;
            /** @description The country that it is in. ISO 3166-1 alpha-2 code, such as `PT`. */
            countryCode: string;
            /** @description Its location; of a city, the centre. */
            location: components["schemas"]["PlacePoint"];
            /** @description The IANA name of its local time, such as `Europe/Lisbon`. */
            timeZone: string;
        };
        /** @description A point on the map. */
        PlacePoint: {
            /**
             * Format: double
             * @description In degrees; south is negative.
             */
            latitude: number;
            /**
             * Format: double
             * @description In degrees; west is negative.
             */
            longitude: number;
        };
        /** @description The places that a query may mean. */
        Places: {
            /** @description The likeliest first; without a `query`, the nearest. Empty: nothing was found. */
            data: components["schemas"]["Place"][];
        };
        /** @description A rate as it was quoted, with the hotel and the stay that it is for. */
        QuotedHotelRate: {
            /** @description What you pay in all. In minor units of `currency`. */
            totalCents: number;
            /** @description ISO 4217 code of the price: your account's currency, such as `EUR`. */
            currency: string;
            /** @description `net`: what you pay. You sell at a price of your own. */
            priceBasis: "net" | (string & {});
            /** @description What the traveller might pay: `totalCents` with your account's markup. If the supplier sets a minimum price for public display, it is never below that. In minor units of `currency`. */
            suggestedRetailCents: number;
            /** @description The rate's id, `rate_…`. Send it to book. It is valid until `expiresAt`. */
            rateId: string;
            /** @description The kind of room, in the supplier's words. */
            roomName: string;
            /** @description Which meals the price covers. */
            board: components["schemas"]["HotelBoard"];
            /** @description Whether a cancellation can cost less than the whole price. `cancellationPolicy` states until when. */
            refundable: boolean;
            /** @description The supplier's own terms, word for word. Their form differs from supplier to supplier. */
            cancellationPolicy: unknown;
            /** @description What cancelling the stay costs at any instant from now on, earliest step first, each at a different instant; the first applies now. `null` if `cancellationPolicy` cannot be interpreted with certainty. */
            cancellationSteps: components["schemas"]["CancellationStep"][] | null;
            /** @description What the guest pays at the hotel as well; not part of `totalCents`. Empty: none known. */
            payAtHotel: components["schemas"]["HotelLocalCharge"][];
            /**
             * Format: date-time
             * @description Until when the rate can be booked: for 20 minutes at most. From then on 410 `offer_expired`. RFC 3339, in UTC.
             */
            expiresAt: string;
            /** @description The rooms that the price covers, as in the search. */
            rooms: components["schemas"]["HotelRoom"][];
            /** @description The taxes and fees that the supplier itemises, those included in `totalCents` first. Empty: none known. */
            taxes: components["schemas"]["HotelTax"][];
            /** @description `totalCents` plus all of `payAtHotel`. `null` if a part of that is in another currency and cannot be added. In minor units of `currency`. */
            totalWithLocalChargesCents: number | null;
            /** @description What the guest should know, such as a deposit at the desk. Empty: nothing provided by the supplier. */
            remarks: components["schemas"]["HotelRemark"][];
            /** @description Why it costs less than usual. `totalCents` has it already. Empty: no discount is named. */
            promotions: components["schemas"]["HotelPromotion"][];
            /** @description What comes free, such as a late check-out. Never money off. Empty: nothing is named. */
            perks: components["schemas"]["HotelPerk"][];
            /** @description The hotel that the rate belongs to. */
            hotel: components["schemas"]["Hotel"];
            /**
             * Format: date
             * @description The day of arrival that was searched for. `YYYY-MM-DD`.
             */
            checkIn: string;
            /**
             * Format: date
             * @description The day of departure that was searched for. `YYYY-MM-DD`.
             */
            checkOut: string;
        };
        /** @description A number of requests in a time window. */
        RateLimit: {
            /** @description How many requests of the class the key may make in a window. */
            limit: number;
            /** @description How long a window lasts, in seconds. */
            windowSeconds: number;
        };
        /** @description The limits of the three rate classes. */
        RateLimitsByClass: {
            /** @description The limit of searches and of re-pricing flight offers. */
            SEARCH: components["schemas"]["RateLimit"];
            /** @description The limit of bookings, changes, cancellations, and writes to webhooks. */
            BOOKING: components["schemas"]["RateLimit"];
            /** @description The limit of everything else. */
            READ: components["schemas"]["RateLimit"];
        };
        /** @description Whether the service can serve. */
        Readiness: {
            /** @description `ok`. `degraded`: Redis is unavailable, and only reads work. `unavailable`, with 503: the database is unavailable. */
            status: "ok" | "degraded" | "unavailable" | (string & {});
        };
        /** @description An offer at the airline's current price, which is the quoted price from now on. */
        RepricedFlightOffer: {
            /** @description What you pay in all. In minor units of `currency`. */
            totalCents: number;
            /** @description ISO 4217 code of the price: your account's currency, such as `EUR`. */
            currency: string;
            /** @description `net`: what you pay. You sell at a price of your own. */
            priceBasis: "net" | (string & {});
            /** @description What the traveller might pay: `totalCents` with your account's markup. In minor units of `currency`. */
            suggestedRetailCents: number;
            /** @description The offer's id, `offer_…`. Send it to order, or read the offer to check its price again. It is valid until `expiresAt`. */
            offerId: string;
            /**
             * Format: date-time
             * @description Until when the offer can be ordered: for 20 minutes at most. From then on 410 `offer_expired`. RFC 3339, in UTC.
             */
            expiresAt: string;
            /** @description The airline that sells the offer and issues the tickets. */
            carrier: components["schemas"]["FlightSellingCarrier"];
            /** @description The cabin class that was searched for. Each segment has its own. */
            cabin: "economy" | "premium_economy" | "business" | "first" | (string & {});
            /** @description What can be done with the order afterwards. */
            conditions: components["schemas"]["FlightConditions"];
            /** @description What cancelling the order costs at any instant from now on, earliest step first, each at a different instant; the first applies now. `null` if `conditions` cannot be interpreted with certainty. */
            cancellationSteps: components["schemas"]["CancellationStep"][] | null;
            /** @description The airline's name for the fare, such as `Economy Light`; for legs under two brands both, such as `Light / Flex`; `null` if it has no name. */
            fareBrand: string | null;
            /** @description The part of `totalCents` that is fare. With `taxCents` it is the total; `null` if unknown. In minor units of `currency`. */
            baseCents: number | null;
            /** @description The part of `totalCents` that is taxes and charges; `null` if unknown. In minor units of `currency`. */
            taxCents: number | null;
            /** @description Estimated carbon dioxide emissions of all passengers' flights, in kilograms; `null` if unknown. */
            co2Kg: number | null;
            /** @description What the fare includes, once for each type of passenger. Empty: unknown. */
            baggage: components["schemas"]["FlightBaggage"][];
            /** @description The agreements that the price is by. Empty: none applies. */
            privateFares: components["schemas"]["FlightPrivateFare"][];
            /** @description Whether it can be ordered with `hold`, and paid later. `false`: it has to be paid at once. */
            holdable: boolean;
            /**
             * Format: date-time
             * @description Until when the price of an order on hold stays as it is; after that the price may change. `null` if the airline keeps the seats but not the price, or nothing is on hold. RFC 3339, in UTC.
             */
            priceGuaranteedUntil: string | null;
            /**
             * Format: date-time
             * @description Until when an order of it on hold can be paid; `null` if it cannot be held. RFC 3339, in UTC.
             */
            payBy: string | null;
            /** @description What an order needs for each passenger. */
            requirements: components["schemas"]["FlightOfferRequirements"];
            /** @description The IATA codes of the airlines of whose loyalty programmes an order may name accounts. Empty: none. */
            loyaltyProgrammes: string[];
            /** @description The legs of the journey, one for each slice that was searched for. */
            slices: components["schemas"]["FlightSlice"][];
            /** @description What the whole offer cost before this call. In minor units of `currency`. */
            previousTotalCents: number;
            /** @description Whether `totalCents` differs from `previousTotalCents`. It is the price of the offer from now on. */
            priceChanged: boolean;
        };
        /** @description The daily allowance of billable searches. */
        SearchQuota: {
            /** @description How many searches a UTC day. */
            limit: number;
            /** @description How many of them are left today. */
            remaining: number;
            /**
             * Format: date-time
             * @description When the count starts again: the next midnight. RFC 3339, in UTC.
             */
            resetsAt: string;
        };
        /** @description The billable searches of some days. */
        SearchUsage: {
            /**
             * Format: date
             * @description The first UTC day that is counted. `YYYY-MM-DD`.
             */
            from: string;
            /**
             * Format: date
             * @description The last UTC day that is counted. `YYYY-MM-DD`.
             */
            to: string;
            /** @description One line for each day, product and key, oldest day first. */
            data: components["schemas"]["SearchUsageLine"][];
        };
        /** @description The billable searches of one day, product and key. */
        SearchUsageLine: {
            /**
             * Format: date
             * @description The UTC day that is counted. `YYYY-MM-DD`.
             */
            date: string;
            /** @description What was searched for. */
            product: "hotels" | "flights" | "transfers" | (string & {});
            /** @description The key that searched, `key_…`. */
            keyId: string;
            /** @description How many searches counted against the quota that day. Never 0: a day without any has no line. */
            billableSearches: number;
        };
        /** @description Limits on the funds that the key may hold. Released funds no longer count; refunds do not restore the limit. */
        SpendLimits: {
            /** @description The most that a booking may hold, and so may a change of it, services added to it, or its payment; `null`: no limit. In minor units of the account's currency. */
            perBookingCents: number | null;
            /** @description The most in a UTC day; `null`: no limit. In minor units of the account's currency. */
            perDayCents: number | null;
            /** @description The most in a UTC month; `null`: no limit. In minor units of the account's currency. */
            perMonthCents: number | null;
            /** @description A booking above it, and the payment of an order on hold, awaits approval; a change, services or a top-up above it is refused. `null`: no approval is needed. In minor units of the account's currency. */
            approvalAboveCents: number | null;
        };
        /** @description What was paid and refunded by one key. */
        StatementOfKey: {
            /** @description Paid for bookings. In minor units of the account's currency. */
            capturedCents: number;
            /** @description Refunded after it was paid. In minor units of the account's currency. */
            refundedCents: number;
            /** @description The key whose calls led to it, `key_…`; `null`: no key did. */
            keyId: string | null;
        };
        /** @description What was paid and refunded for one product. */
        StatementOfProduct: {
            /** @description Paid for bookings. In minor units of the account's currency. */
            capturedCents: number;
            /** @description Refunded after it was paid. In minor units of the account's currency. */
            refundedCents: number;
            /** @description `hotel`, `flight`, `transfer` or `esim`; `null`: for no booking. */
            bookingType: string | null;
        };
        /** @description The cost of cancelling from one instant until the next step begins. */
        TransferCancellationPolicyStep: {
            /**
             * Format: date-time
             * @description When the step begins; `null`: with the booking. RFC 3339, in UTC.
             */
            from: string | null;
            /** @description The penalty from that instant until the next step begins. In minor units of `currency`. */
            amountCents: number;
            /** @description ISO 4217 code of `amountCents`: that of the price. */
            currency: string;
        };
        /** @description What can be ordered with the drive, such as a child seat. No price includes it yet. */
        TransferExtra: {
            /** @description The extra's code. Send it to order, with this quote alone. */
            code: string;
            /** @description The extra in the supplier's words. */
            name: string;
            /** @description What one of it costs, on all legs that `directions` names together. In minor units of `currency`. */
            totalCents: number;
            /** @description ISO 4217 code of the amounts next to it, such as `EUR`. */
            currency: string;
            /** @description How many of it must be ordered at least, if any. */
            minQuantity: number;
            /** @description How many of it can be ordered. */
            maxQuantity: number;
            /** @description The legs that it is on. An extra that both legs offer is ordered for both. */
            directions: ("outbound" | "inbound")[];
        };
        /** @description An extra to order with the ride. */
        TransferExtraInput: {
            /** @description The extra's `code`, from the `extras` of this quote. */
            code: string;
            /**
             * @description How many: from `minQuantity` to `maxQuantity` of the extra.
             * @default 1
             */
            quantity?: number;
        };
        /** @description The traveller whom the driver meets. */
        TransferLeadPassenger: {
            /** @description Given name, as it was sent. */
            firstName: string;
            /** @description Family name, as it was sent. */
            lastName: string;
            /** @description The address that the supplier writes to. */
            email: string;
            /** @description The number that the driver calls, in E.164. */
            phone: string;
        };
        /** @description The traveller whom the driver meets. */
        TransferLeadPassengerInput: {
            /** @description Given name, as the driver's sign shows it. */
            firstName: string;
            /** @description Family name, as the driver's sign shows it. */
            lastName: string;
            /**
             * Format: email
             * @description The address that the supplier writes to when plans change.
             */
            email: string;
            /** @description The number that the driver calls; ideally a mobile that is switched on at the pick-up. E.164: a plus sign, the country's code and the number, such as `+351210000000`. */
            phone: string;
        };
        /** @description A drive at a price for the whole party. */
        TransferOffer: {
            /** @description What you pay in all. In minor units of `currency`. */
            totalCents: number;
            /** @description ISO 4217 code of the price: your account's currency, such as `EUR`. */
            currency: string;
            /** @description `net`: what you pay. You sell at a price of your own. */
            priceBasis: "net" | (string & {});
            /** @description What the traveller might pay: `totalCents` with your account's markup. In minor units of `currency`. */
            suggestedRetailCents: number;
            /** @description The offer's id, `quote_…`. Send it to order. It is valid until `expiresAt`. */
            quoteId: string;
            /** @description What drives. */
            vehicle: components["schemas"]["TransferVehicle"];
            /** @description How long the drive takes, in minutes; `null` if the supplier does not provide it. */
            durationMinutes: number | null;
            /** @description What cancelling costs and from when on, earliest step first. Before the first step it is free. */
            cancellationPolicy: components["schemas"]["TransferCancellationPolicyStep"][];
            /** @description What cancelling the order costs at any instant from now on, earliest step first, each at a different instant; the first applies now. `null` if `cancellationPolicy` cannot be interpreted with certainty. */
            cancellationSteps: components["schemas"]["CancellationStep"][] | null;
            /** @description Terms that travellers must be informed of, in the supplier's words. Empty: none. */
            remarks: string[];
            /** @description How long driver and travellers wait for each other at the pick-up. Empty if the supplier does not provide it. */
            waitingTimes: components["schemas"]["TransferWaitingTime"][];
            /**
             * Format: date-time
             * @description Until when the offer can be ordered: for 20 minutes at most. From then on 410 `offer_expired`. RFC 3339, in UTC.
             */
            expiresAt: string;
            /** @description The way there and, of a return trip, the way back. Price and terms cover both together; `vehicle`, `durationMinutes`, `remarks` and `waitingTimes` next to them are those of the way there. */
            legs: components["schemas"]["TransferOfferLeg"][];
            /** @description What can be ordered with it. Empty: the supplier offers nothing. */
            extras: components["schemas"]["TransferExtra"][];
        };
        /** @description One drive of an offer: the way there, or the way back. */
        TransferOfferLeg: {
            /** @description `outbound`: the way there. */
            direction: "outbound" | "inbound" | (string & {});
            /** @description Where this leg leads. */
            to: components["schemas"]["TransferPlace"];
            /** @description The `outbound` or `inbound` that was searched for, in local time: `YYYY-MM-DDTHH:MM:SS`, without offset. */
            at: string;
            /** @description When the driver is there, in local time: `YYYY-MM-DDTHH:MM:SS`, without offset. `null`: the supplier names it later. */
            pickupAt: string | null;
            /** @description What drives this leg. */
            vehicle: components["schemas"]["TransferVehicle"];
            /** @description How long the drive takes, in minutes; `null` if the supplier does not provide it. */
            durationMinutes: number | null;
            /** @description Terms that travellers must be informed of, in the supplier's words. Empty: none. */
            remarks: string[];
            /** @description How long driver and travellers wait for each other at the pick-up. Empty if the supplier does not provide it. */
            waitingTimes: components["schemas"]["TransferWaitingTime"][];
            /** @description Where this leg starts. */
            from: components["schemas"]["TransferPlace"];
        };
        /** @description Who drives and who invoices. It belongs on the traveller's voucher. */
        TransferOperator: {
            /** @description The company that drives. */
            name: string;
            /** @description Its VAT number; `null` if not provided. */
            vatNumber: string | null;
            /** @description The supplier's company that issues the invoice; `null` if not provided. */
            invoiceCompany: string | null;
        };
        /** @description A drive that was ordered, with its money and its driver. */
        TransferOrder: {
            /** @description The booking's id. The operations on the booking take it in their path. */
            id: string;
            /** @description A short reference to read out and to print, such as `H-7KQ2M9XD`. The ledger and events use it for the booking. */
            reference: string;
            /** @description Your own reference, as it was sent; `null` if there was none. */
            externalReference: string | null;
            /** @description Your own reference of the trip, as it was sent; `null` if there was none. */
            tripReference: string | null;
            /** @description The environment of the key that made the booking. Another one's keys do not see it. */
            environment: "test" | "live" | (string & {});
            /** @description What the booking costs you in all. In minor units of `currency`. */
            totalCents: number;
            /** @description ISO 4217 code of the booking's amounts: your account's currency, such as `EUR`. */
            currency: string;
            /** @description What your customer pays you, as it was sent. Left out unless it was. In minor units of `currency`. */
            soldForCents?: number;
            /**
             * Format: date-time
             * @description Until when it can be approved; without that, it fails then and its funds are released. Left out unless it is `awaiting_approval`. RFC 3339, in UTC.
             */
            approvalExpiresAt?: string;
            /**
             * Format: date-time
             * @description When the booking was made here. RFC 3339, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When anything of the booking last changed. RFC 3339, in UTC.
             */
            updatedAt: string;
            /** @description Who carries out the booking. */
            supplier: components["schemas"]["BookingSupplier"];
            /** @description Left out unless the supplier charges in another currency: the rate of all the booking's amounts, fixed when it was quoted. A supplier's own terms, passed on word by word, stay in its currency. */
            exchange?: components["schemas"]["ExchangeRate"];
            /** @description `true` once the travellers were forgotten, on request or when their time was over: lists of people are empty then, each name and contact reads `redacted`, and free text is `null`. Left out until then. */
            redacted?: boolean;
            /** @description What the cancellation cost; `null` while the booking is not cancelled. */
            cancellation: components["schemas"]["BookingCancellation"] | null;
            /** @description `pending`: its funds are held, and the supplier has not confirmed it yet. `awaiting_approval` (since 1.3): its funds are held, and no supplier has been called: an owner or approver of your account decides until `approvalExpiresAt`. `confirmed`: it is booked. `cancelled`: it was cancelled; `cancellation` has the cost. `failed`: nothing was booked, and nothing is paid. */
            status: "pending" | "awaiting_approval" | "confirmed" | "cancelled" | "failed" | (string & {});
            /** @description The same as `id`. */
            orderId: string;
            /** @description The offer that was ordered, `quote_…`. */
            quoteId: string;
            /** @description What happened to the held funds. */
            settlement: components["schemas"]["TransferSettlement"];
            /** @description Where they are driven, as in the search. */
            to: components["schemas"]["TransferPlace"];
            /** @description The time that was searched for, in local time: `YYYY-MM-DDTHH:MM:SS`, without offset. */
            outbound: string;
            /** @description How many people the order is for. */
            passengers: components["schemas"]["TransferPassengers"];
            /** @description The vehicle that was ordered. */
            vehicle: components["schemas"]["TransferVehicle"];
            /** @description How long the drive takes, in minutes; `null` if the supplier does not provide it. */
            durationMinutes: number | null;
            /** @description The traveller whom the driver meets. */
            leadPassenger: components["schemas"]["TransferLeadPassenger"];
            /** @description The flight, train or ship that was sent; `null` if there was none. */
            flightNumber: string | null;
            /** @description The note to the driver; `null` for none. */
            notes: string | null;
            /** @description What cancelling costs and from when on, earliest step first. Before the first step it is free. */
            cancellationPolicy: components["schemas"]["TransferCancellationPolicyStep"][];
            /** @description What cancelling the order costs at any instant from now on, earliest step first, each at a different instant; the first applies now. `null` if `cancellationPolicy` cannot be interpreted with certainty. */
            cancellationSteps: components["schemas"]["CancellationStep"][] | null;
            /** @description Terms that travellers must be informed of, in the supplier's words. Empty: none. */
            remarks: string[];
            /** @description How long driver and travellers wait for each other at the pick-up. Empty if the supplier does not provide it. */
            waitingTimes: components["schemas"]["TransferWaitingTime"][];
            /** @description Where and when the driver waits; `null` until the order is confirmed. */
            pickup: components["schemas"]["TransferPickup"] | null;
            /** @description Who drives, for the voucher; `null` if the supplier does not name it, and until the order is confirmed. */
            operator: components["schemas"]["TransferOperator"] | null;
            /** @description The time of the way back that was searched for, in local time; `null`: one way. `YYYY-MM-DDTHH:MM:SS`, without offset. */
            inbound: string | null;
            /** @description The flight, train or ship of the way back that was sent; `null` if there was none. */
            inboundFlightNumber: string | null;
            /** @description The way there and, of a return trip, the way back. `vehicle`, `durationMinutes`, `remarks`, `waitingTimes` and `pickup` next to them are those of the way there. */
            legs: components["schemas"]["TransferOrderLeg"][];
            /** @description What was ordered with the drive; `totalCents` includes it. Empty: nothing. */
            extras: components["schemas"]["TransferOrderExtra"][];
            /** @description Where the travellers are picked up, as in the search. */
            from: components["schemas"]["TransferPlace"];
        };
        /** @description What was ordered with the drive. */
        TransferOrderExtra: {
            /** @description The extra's code, as it was quoted. */
            code: string;
            /** @description The extra in the supplier's words. */
            name: string;
            /** @description How many of it were ordered. */
            quantity: number;
            /** @description What all of `quantity` cost, a part of the order's `totalCents`. In minor units of `currency`. */
            totalCents: number;
            /** @description ISO 4217 code of the amounts next to it, such as `EUR`. */
            currency: string;
            /** @description The legs that it is on. */
            directions: ("outbound" | "inbound")[];
        };
        /** @description One drive of an order: the way there, or the way back. */
        TransferOrderLeg: {
            /** @description `outbound`: the way there. */
            direction: "outbound" | "inbound" | (string & {});
            /** @description Where this leg leads. */
            to: components["schemas"]["TransferPlace"];
            /** @description The `outbound` or `inbound` that was searched for, in local time: `YYYY-MM-DDTHH:MM:SS`, without offset. */
            at: string;
            /** @description When the driver is there, in local time: `YYYY-MM-DDTHH:MM:SS`, without offset. `null`: the supplier names it later. */
            pickupAt: string | null;
            /** @description What drives this leg. */
            vehicle: components["schemas"]["TransferVehicle"];
            /** @description How long the drive takes, in minutes; `null` if the supplier does not provide it. */
            durationMinutes: number | null;
            /** @description Terms that travellers must be informed of, in the supplier's words. Empty: none. */
            remarks: string[];
            /** @description How long driver and travellers wait for each other at the pick-up. Empty if the supplier does not provide it. */
            waitingTimes: components["schemas"]["TransferWaitingTime"][];
            /** @description Where this leg starts. */
            from: components["schemas"]["TransferPlace"];
            /** @description The flight, train or ship that was sent for this leg; `null` if there was none. */
            flightNumber: string | null;
            /** @description Where and when the driver waits; `null` until the order is confirmed. */
            pickup: components["schemas"]["TransferPickup"] | null;
            /** @description Who drives; `null` if the supplier does not name it, and until the order is confirmed. */
            operator: components["schemas"]["TransferOperator"] | null;
        };
        /** @description One page of a listing. */
        TransferOrderList: {
            /** @description The rows of this page, newest first. Empty: none match. */
            data: components["schemas"]["TransferOrder"][];
            /** @description Whether another page follows this one. */
            hasMore: boolean;
            /** @description Send it as `cursor`, with the same filters, to read the next page; `null` on the last page. */
            nextCursor: string | null;
        };
        /** @description The offer to order, and for whom. Funds are checked and held before the supplier is called. */
        TransferOrderRequest: {
            /** @description The offer to order, `quote_…`, from a search of the last 20 minutes. Later: 410 `offer_expired`. */
            quoteId: string;
            /** @description The traveller whom the driver meets. */
            leadPassenger: components["schemas"]["TransferLeadPassengerInput"];
            /** @description What the travellers arrive or leave with: from or to an airport the flight, such as `TP1363`; a station the train, such as `AVE3082`; a port the ship and, after a comma, its company if you know it, such as `GRANDIOSA, MSC Cruises`. Between two of these places both, that of `from` first: `TP1363; AVE3082`. With a live key it is required if one of these places is involved, with seven characters at most besides spaces for each flight and train, 50 for a ship and 100 for its company. Without a station or a port: eight characters at most. Of a return trip: on the way there. */
            flightNumber?: string;
            /** @description The same of a return trip's way back, where the drive starts from `to`: between two such places that of `to` comes first. For a quote of one way: 400. */
            inboundFlightNumber?: string;
            /** @description Extras to order with the ride, each code once. `maxTotalCents` then bounds ride and extras together. Left out: none. */
            extras?: components["schemas"]["TransferExtraInput"][];
            /** @description A note to the driver in plain words. */
            notes?: string;
            /** @description Your own reference for the booking, 1 to 64 printable characters; spaces at its ends are cut off. A second booking with the reference of one that has not failed is refused with 409 `conflict`, which names the first one's `bookingId`. `null` is the same as none. */
            externalReference?: string | null;
            /** @description Your own reference for the trip that the booking belongs to, 1 to 64 printable characters; spaces at its ends are cut off. Any number of bookings of any product may share it. `GET /v1/bookings` lists all of a trip. `null` is the same as none. */
            tripReference?: string | null;
            /**
             * Format: int64
             * @description What your customer pays you for it. It is printed on the booking's documents with `prices=sold`; nothing else uses it, and no money moves by it. In minor units of your account's currency.
             */
            soldForCents?: number;
            /**
             * Format: int64
             * @description The most that the order may cost. Left out: the quoted `totalCents`. If the price is higher: 409 `price_changed`, and nothing is booked. In minor units of your account's currency.
             */
            maxTotalCents?: number;
        };
        /** @description The number of passengers by type. */
        TransferPassengers: {
            /** @description How many grown-up travellers the price covers. */
            adults: number;
            /** @description How many children the price covers. */
            children: number;
            /** @description How many infants the price covers. */
            infants: number;
        };
        /** @description Where and when the driver waits. */
        TransferPickup: {
            /** @description When the driver is there, in local time: `YYYY-MM-DDTHH:MM:SS`, without offset. `null`: the supplier names it later. */
            at: string | null;
            /** @description Where the driver waits, in the supplier's words; empty until it is known. */
            instructions: string;
            /** @description The number to call when the driver cannot be found; `null` without one. */
            emergencyPhone: string | null;
        };
        /** @description One end of the drive, as in the search. */
        TransferPlace: {
            /** @description The kind of place, as in the search. */
            type: "IATA" | "HOTEL" | "STATION" | "PORT" | "GEO" | (string & {});
            /** @description The code that was searched for; `null` for a place named by its coordinates. */
            code: string | null;
            /** @description The name that was sent, or the airport's; `null` if neither is known. */
            name: string | null;
            /** @description Street and number, as they were sent; `null` if they were not. */
            address: string | null;
            /** @description The town that was sent, or the airport's; `null` if neither is known. */
            town: string | null;
            /** @description The country that was sent, or the airport's; `null` if neither is known. ISO 3166-1 alpha-2 code, such as `PT`. */
            country: string | null;
            /** @description The postal code that was sent; `null` if there was none. */
            zip: string | null;
            /**
             * Format: double
             * @description In degrees, as it was sent, south negative; `null` if it was not.
             */
            latitude: number | null;
            /**
             * Format: double
             * @description In degrees, as it was sent, west negative; `null` if it was not.
             */
            longitude: number | null;
        };
        /** @description One end of the drive. `code` names an airport, hotel, station or port; a `GEO` place is named by its coordinates. */
        TransferPlaceInput: {
            /**
             * @description What kind of place it is. It decides which other fields are needed.
             * @enum {string}
             */
            type: "IATA" | "HOTEL" | "STATION" | "PORT" | "GEO";
            /** @description Required unless `type` is `GEO`. `IATA`: the airport's three capitals. `HOTEL`: with a live key the supplier's own number of the hotel, or any code together with coordinates and an address. `STATION` and `PORT`: the supplier's code. */
            code?: string;
            /** @description The name of the place, for the driver and the voucher. */
            name?: string;
            /** @description Street and number. With a live key required together with coordinates, so that the driver finds the place. */
            address?: string;
            /** @description The town or city. With a live key required together with coordinates. */
            town?: string;
            /** @description The country. With a live key required together with coordinates. ISO 3166-1 alpha-2 code in capitals, such as `PT`; `XK` is Kosovo. */
            country?: string;
            /** @description The postal code. With a live key required together with coordinates. */
            zip?: string;
            /**
             * Format: double
             * @description In degrees; south is negative. Required for `GEO`, and together with `longitude`.
             */
            latitude?: number;
            /**
             * Format: double
             * @description In degrees; west is negative. Required for `GEO`, and together with `latitude`.
             */
            longitude?: number;
        };
        /** @description One drive for one party, or the way there and the way back. */
        TransferSearchRequest: {
            /** @description Where the travellers are picked up. */
            from: components["schemas"]["TransferPlaceInput"];
            /** @description Where they are driven; must differ from `from`. */
            to: components["schemas"]["TransferPlaceInput"];
            /**
             * @description When they arrive at the airport or station that the drive starts from; or, if it leads to one, when they depart from there. From a port, to a port from elsewhere, and between other places: when they wish to be picked up. In local time: `YYYY-MM-DDTHH:MM` or with seconds, without offset, from yesterday to 730 days ahead.
             * @example 2027-02-03T14:30:00
             */
            outbound: string;
            /** @description How many grown-up travellers need a seat. */
            adults: number;
            /**
             * @description How many children need a seat.
             * @default 0
             */
            children?: number;
            /**
             * @description How many infants come along; they need a seat too. Adults, children and infants: 48 at most together.
             * @default 0
             */
            infants?: number;
            /**
             * @description When they are driven back from `to` to `from`: what `outbound` is of the way there, and later. Offers then have two `legs` and one price. Left out: one way. `YYYY-MM-DDTHH:MM` or with seconds, without offset, from yesterday to 730 days ahead.
             * @example 2027-02-03T14:30:00
             */
            inbound?: string;
            /**
             * @description Only offers of this class. Left out: all classes.
             * @enum {string}
             */
            vehicleClass?: "economy" | "comfort" | "business" | "minivan" | "minibus" | "shuttle";
            /**
             * @description How many offers the answer may have.
             * @default 20
             */
            limit?: number;
        };
        /** @description The offers that a search found. */
        TransferSearchResponse: {
            /** @description The search's id, `tsr_…`, for your records and for support. */
            id: string;
            /**
             * Format: date-time
             * @description When the search was first made. RFC 3339, in UTC.
             */
            createdAt: string;
            /** @description What is sold for this drive, `limit` at most. Empty: nothing was found. */
            offers: components["schemas"]["TransferOffer"][];
            /** @description How many of the suppliers' offers are left out of this response, by reason; 0 if there are none. */
            withheld: components["schemas"]["Withheld"];
        };
        /** @description The order's money. Read the order again while `funds` is `still_held`: that takes less than a minute. */
        TransferSettlement: {
            /** @description `still_held`: will be captured. `captured`: paid. `released`: no longer held, because the order was cancelled before its capture or failed. `refunded`: refunded after the capture. */
            funds: "still_held" | "captured" | "released" | "refunded" | (string & {});
            /** @description The amount held, paid, released or refunded, according to `funds`. In minor units of `currency`. */
            amountCents: number;
            /** @description ISO 4217 code of `amountCents`: that of the order. */
            currency: string;
            /**
             * Format: date-time
             * @description When the funds left the hold; `null` while they are `still_held`. RFC 3339, in UTC.
             */
            resolvedAt: string | null;
        };
        /** @description The vehicle that an offer is for. */
        TransferVehicle: {
            /** @description The class that the vehicle is sold as. `shuttle` is shared with other travellers. */
            class: "economy" | "comfort" | "business" | "minivan" | "minibus" | "shuttle" | (string & {});
            /** @description The vehicle in the supplier's words. */
            description: string;
            /** @description How many travellers it takes; `null` if the supplier does not provide it. */
            maxPassengers: number | null;
            /** @description How many suitcases it takes; `null` if the supplier does not provide it. */
            maxBags: number | null;
        };
        /** @description How long one of the two waits at the pick-up before it counts as missed. */
        TransferWaitingTime: {
            /** @description `driver`: how long the driver waits for the travellers. `customer`: how long they wait for the driver before they call. */
            who: "driver" | "customer" | (string & {});
            /** @description For how many minutes. */
            minutes: number;
        };
        /** @description How long each phase of an attempt took. */
        WebhookAttemptTimings: {
            /** @description The DNS lookup of the host name, in milliseconds; `null`: not reached. */
            lookupMs: number | null;
            /** @description Opening the connection, in milliseconds; `null`: not reached. */
            connectMs: number | null;
            /** @description The TLS handshake, in milliseconds; `null`: not reached, or without TLS. */
            tlsMs: number | null;
            /** @description From the last byte sent to the first byte of the response, in milliseconds; `null`: there was no response. */
            firstByteMs: number | null;
        };
        /** @description One event on its way to one endpoint. */
        WebhookDelivery: {
            /** @description The delivery's id, `whd_…`. Use it to read it with its attempts, or to send it again. */
            id: string;
            /** @description The endpoint that it goes to, `we_…`. */
            endpointId: string;
            /** @description The event that it delivers, `evt_…`: the payload's `id` and the header `webhook-id`. */
            eventId: string;
            /** @description The type of the event, such as `booking.confirmed`. */
            eventType: string;
            /** @description `PENDING`: due, not attempted yet. `RETRYING`: the last attempt failed, and another is scheduled. `DELIVERED`: your endpoint returned 2xx. `FAILED`: it returned 410, or was deleted. `EXHAUSTED`: all 7 attempts failed. */
            status: "PENDING" | "RETRYING" | "DELIVERED" | "FAILED" | "EXHAUSTED" | (string & {});
            /** @description How many attempts had a result so far, resends included. */
            attemptCount: number;
            /**
             * Format: date-time
             * @description When the next attempt is due; `null`: no further attempt. RFC 3339, in UTC.
             */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When the delivery was created: with its event, or later if the event was sent to this endpoint afterwards. RFC 3339, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the delivery ended, also by a successful resend; `null` before. RFC 3339, in UTC.
             */
            completedAt: string | null;
        };
        /** @description One attempt to deliver. */
        WebhookDeliveryAttempt: {
            /** @description 1 for the first attempt, and so on. */
            number: number;
            /**
             * Format: date-time
             * @description When the attempt began. RFC 3339, in UTC.
             */
            attemptedAt: string;
            /** @description How long it took in all, in milliseconds. */
            durationMs: number;
            /** @description How long each phase took. */
            timings: components["schemas"]["WebhookAttemptTimings"];
            /** @description The headers that were sent, by name, signatures included. */
            requestHeaders: {
                [key: string]: string;
            };
            /** @description The HTTP status that your endpoint returned; `null` if there was no complete response. */
            statusCode: number | null;
            /** @description The response of your endpoint: the first 8 KiB, as text. */
            responseBody: string;
            /** @description Why the attempt failed, in plain words; `null` after a 2xx. */
            error: string | null;
            /** @description Whether it is one of the 7 attempts; a resend is not. */
            counted: boolean;
        };
        /** @description A delivery with its payload and its attempts. */
        WebhookDeliveryDetail: {
            /** @description The delivery's id, `whd_…`. Use it to read it with its attempts, or to send it again. */
            id: string;
            /** @description The endpoint that it goes to, `we_…`. */
            endpointId: string;
            /** @description The event that it delivers, `evt_…`: the payload's `id` and the header `webhook-id`. */
            eventId: string;
            /** @description The type of the event, such as `booking.confirmed`. */
            eventType: string;
            /** @description `PENDING`: due, not attempted yet. `RETRYING`: the last attempt failed, and another is scheduled. `DELIVERED`: your endpoint returned 2xx. `FAILED`: it returned 410, or was deleted. `EXHAUSTED`: all 7 attempts failed. */
            status: "PENDING" | "RETRYING" | "DELIVERED" | "FAILED" | "EXHAUSTED" | (string & {});
            /** @description How many attempts had a result so far, resends included. */
            attemptCount: number;
            /**
             * Format: date-time
             * @description When the next attempt is due; `null`: no further attempt. RFC 3339, in UTC.
             */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When the delivery was created: with its event, or later if the event was sent to this endpoint afterwards. RFC 3339, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the delivery ended, also by a successful resend; `null` before. RFC 3339, in UTC.
             */
            completedAt: string | null;
            /** @description The event as it is sent: `id`, `type`, `createdAt`, `environment` and `data`, and a booking's `sequence`. */
            payload: {
                [key: string]: unknown;
            };
            /** @description The attempts of the last 30 days, oldest first. */
            attempts: components["schemas"]["WebhookDeliveryAttempt"][];
        };
        /** @description One page of a listing. */
        WebhookDeliveryList: {
            /** @description The rows of this page, newest first. Empty: none match. */
            data: components["schemas"]["WebhookDelivery"][];
            /** @description Whether another page follows this one. */
            hasMore: boolean;
            /** @description Send it as `cursor`, with the same filters, to read the next page; `null` on the last page. */
            nextCursor: string | null;
        };
        /** @description Nothing: send `{}` or no body. */
        WebhookEmptyRequest: Record<string, never>;
        /** @description An address that events are sent to. */
        WebhookEndpoint: {
            /** @description The endpoint's id, `we_…`. Use it to read, change, test or delete the endpoint. */
            id: string;
            /** @description Where deliveries are posted to. */
            url: string;
            /** @description The event types that are sent there. */
            events: string[];
            /** @description Your note; an empty text without one. */
            description: string;
            /** @description `enabled`: it receives events. `disabled`: it receives nothing, and new events create no deliveries for it. */
            status: "enabled" | "disabled" | (string & {});
            /** @description `consecutive_failures`: ten deliveries in a row failed. `disabled_by_partner`: at your request. `null` while it is enabled. */
            disabledReason: string | null;
            /**
             * Format: date-time
             * @description When it was disabled; `null` while it is enabled. RFC 3339, in UTC.
             */
            disabledAt: string | null;
            /** @description How many deliveries in a row have ended `FAILED` or `EXHAUSTED`. At 10 the endpoint is disabled; a success sets it to 0. */
            consecutiveFailures: number;
            /** @description The environment whose events it receives. */
            environment: "test" | "live" | (string & {});
            /**
             * Format: date-time
             * @description Until when deliveries are also signed with the previous secret; if it is in the past, they no longer are; `null` without one. RFC 3339, in UTC.
             */
            previousSecretExpiresAt: string | null;
            /**
             * Format: date-time
             * @description When the endpoint was registered. RFC 3339, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the endpoint last changed. RFC 3339, in UTC.
             */
            updatedAt: string;
        };
        /** @description Every field is optional; `enabled` also clears the count of failures. */
        WebhookEndpointChangeRequest: {
            /** @description The new address, with the same rules as on creation. The next attempt uses it. */
            url?: string;
            /** @description The event types to send from now on, instead of the current ones. */
            events?: components["schemas"]["WebhookEventType"][];
            /** @description The new note; it may be empty. */
            description?: string;
            /**
             * @description `enabled` sends waiting deliveries immediately and sets the count of failures to 0. `disabled` sends nothing until it is enabled again.
             * @enum {string}
             */
            status?: "enabled" | "disabled";
        };
        /** @description One page of a listing. */
        WebhookEndpointList: {
            /** @description The rows of this page, newest first. Empty: none match. */
            data: components["schemas"]["WebhookEndpoint"][];
            /** @description Whether another page follows this one. */
            hasMore: boolean;
            /** @description Send it as `cursor`, with the same filters, to read the next page; `null` on the last page. */
            nextCursor: string | null;
        };
        /** @description Where to send events, and which. */
        WebhookEndpointRequest: {
            /** @description Where to deliver to: `https://` on a public host, without user name and password, on port 443 or 1024 and above. 2048 characters at most. */
            url: string;
            /** @description The event types to send there. A repeated one counts once. */
            events: components["schemas"]["WebhookEventType"][];
            /** @description A note for yourself, such as which system listens there. 255 characters at most; it may be empty. */
            description?: string;
        };
        /** @description An endpoint with its signing secret, which no other response shows. */
        WebhookEndpointWithSecret: {
            /** @description The endpoint's id, `we_…`. Use it to read, change, test or delete the endpoint. */
            id: string;
            /** @description Where deliveries are posted to. */
            url: string;
            /** @description The event types that are sent there. */
            events: string[];
            /** @description Your note; an empty text without one. */
            description: string;
            /** @description `enabled`: it receives events. `disabled`: it receives nothing, and new events create no deliveries for it. */
            status: "enabled" | "disabled" | (string & {});
            /** @description `consecutive_failures`: ten deliveries in a row failed. `disabled_by_partner`: at your request. `null` while it is enabled. */
            disabledReason: string | null;
            /**
             * Format: date-time
             * @description When it was disabled; `null` while it is enabled. RFC 3339, in UTC.
             */
            disabledAt: string | null;
            /** @description How many deliveries in a row have ended `FAILED` or `EXHAUSTED`. At 10 the endpoint is disabled; a success sets it to 0. */
            consecutiveFailures: number;
            /** @description The environment whose events it receives. */
            environment: "test" | "live" | (string & {});
            /**
             * Format: date-time
             * @description Until when deliveries are also signed with the previous secret; if it is in the past, they no longer are; `null` without one. RFC 3339, in UTC.
             */
            previousSecretExpiresAt: string | null;
            /**
             * Format: date-time
             * @description When the endpoint was registered. RFC 3339, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the endpoint last changed. RFC 3339, in UTC.
             */
            updatedAt: string;
            /** @description The signing secret, `whsec_…`. Keep it safe: it is shown only in this response and in a replay of it. */
            secret: string;
        };
        /**
         * @description A type of event that an endpoint can receive. Some are declared but never sent.
         * @enum {string}
         */
        WebhookEventType: "airline_credit.issued" | "apikey.revoked" | "balance.low" | "booking.approval_decided" | "booking.approval_requested" | "booking.cancelled" | "booking.changed" | "booking.confirmed" | "booking.failed" | "booking.hold_expired" | "booking.hold_expiring" | "booking.modified" | "booking.rejected" | "booking.schedule_changed" | "booking.supplier_changed" | "esim.data_low" | "esim.provisioned" | "esim.refund_decided" | "esim.status_changed" | "esim.topped_up" | "esim.usage_threshold" | "ledger.low_balance" | "payment.failed" | "payment.refunded" | "payment.succeeded" | "search_quota.threshold" | "settlement.invoice_issued" | "settlement.payment_failed";
        /** @description How to replace the signing secret. An empty object keeps the old one valid for 24 hours. */
        WebhookSecretRotationRequest: {
            /**
             * @description `true`: the old secret stops working immediately, for example after a leak. `false`: deliveries are signed with both for 24 hours.
             * @default false
             */
            immediate?: boolean;
        };
        /** @description How much of the suppliers' results is left out of the response, by reason. Filters and `limit` are not counted. */
        Withheld: {
            /** @description The supplier demands the travellers' identity documents. Flights are returned with `includeDocumentOffers`; other products cannot take documents. */
            documentsRequired: number;
            /** @description It has expired, departed or begun. */
            noLongerSold: number;
            /** @description It cannot be bought through this API: it is paid at the property, sold to members only, on split tickets, or priced in a currency that is not converted to yours. */
            unsupported: number;
            /** @description The supplier's data is malformed. */
            unreadable: number;
        };
        /** @description What a response leaves out. */
        WithheldMinRates: {
            /** @description Days that the supplier did not respond for, and malformed prices. Request such days again. */
            unreadable: number;
        };
        /** @description Every failure. Branch on `type`, never on `message`; ignore fields and types you do not know. */
        ErrorEnvelope: {
            /** @description What went wrong, and the id to quote to support. */
            error: components["schemas"]["ApiError"];
        };
        /** @description What went wrong. Some types add fields; the page of each error type lists them. */
        ApiError: {
            /** @description What went wrong, as a constant. Branch on it. New types may be added. */
            type: string;
            /** @description The same as a sentence for people. It may change; do not match on it. */
            message: string;
            /** @description The request's UUID, the same as the header `X-Request-Id`. Quote it to support. */
            requestId: string;
            /** @description A page that explains the type. Left out if this service has no documentation pages. */
            docUrl?: string;
            /** @description One entry for each thing that is wrong with the request, 50 at most. */
            details?: components["schemas"]["ApiErrorDetail"][];
            /** @description How many more entries there are. Left out if all are given. */
            detailsOmitted?: number;
        } & {
            [key: string]: unknown;
        };
        /** @description One thing that is wrong with the request. */
        ApiErrorDetail: {
            /** @description Which field: a dotted path such as `slices.0.origin`, or the name of a parameter. */
            field: string;
            /** @description What is wrong with it, such as `is required`. It may change; do not match on it. */
            message: string;
        };
        /** @description What a delivery of `booking.confirmed` holds. Its bytes are the same on every attempt. */
        WebhookBookingConfirmed: {
            /** @description The event's id, `evt_…`: the same on every attempt and at every endpoint. Deduplicate by it. */
            id: string;
            /**
             * @description What happened. Ignore types that you do not know.
             * @constant
             */
            type: "booking.confirmed";
            /**
             * Format: date-time
             * @description When it happened. RFC 3339, in UTC.
             */
            createdAt: string;
            /** @description Where it happened: in the sandbox or in the live service. */
            environment: "test" | "live" | (string & {});
            /** @description Its details. */
            data: components["schemas"]["WebhookBookingConfirmedData"];
            /** @description Which event of its booking it is: 1, 2, 3 and so on, without gaps. Keep the highest, and drop what is older. Left out of events from before 1.2. */
            sequence?: number;
        };
        /** @description The supplier has confirmed the booking. */
        WebhookBookingConfirmedData: {
            /** @description `hotel`, `flight`, `transfer` or `esim`. */
            bookingType: string;
            /** @description The booking's short reference, such as `H-7KQ2M9XD`. */
            bookingReference: string;
            /** @description The booking's id. Use it to read the booking. */
            bookingId: string;
            /** @description Your own reference; `null` if the booking has none. */
            externalReference: string | null;
            /** @description What the booking costs you in all, in minor units of `currency`. */
            totalCents: number;
            /** @description ISO 4217 code of `totalCents`, such as `EUR`. */
            currency: string;
        };
        /** @description What a delivery of `balance.low` holds. Its bytes are the same on every attempt. */
        WebhookBalanceLow: {
            /** @description The event's id, `evt_…`: the same on every attempt and at every endpoint. Deduplicate by it. */
            id: string;
            /**
             * @description What happened. Ignore types that you do not know.
             * @constant
             */
            type: "balance.low";
            /**
             * Format: date-time
             * @description When it happened. RFC 3339, in UTC.
             */
            createdAt: string;
            /** @description Where it happened: in the sandbox or in the live service. */
            environment: "test" | "live" | (string & {});
            /** @description Its details. */
            data: components["schemas"]["WebhookBalanceLowData"];
        };
        /**
         * @description The available balance fell below the account's warning threshold. Sent once, and again after the balance has been at the
         *         threshold or above.
         */
        WebhookBalanceLowData: {
            /** @description What could be spent when the event was sent, in minor units of `currency`. */
            availableCents: number;
            /** @description `warnBelowCents` of the account, in minor units of `currency`. */
            thresholdCents: number;
            /** @description ISO 4217 code of both amounts, such as `EUR`. */
            currency: string;
        };
        /** @description What a delivery of `booking.cancelled` holds. Its bytes are the same on every attempt. */
        WebhookBookingCancelled: {
            /** @description The event's id, `evt_…`: the same on every attempt and at every endpoint. Deduplicate by it. */
            id: string;
            /**
             * @description What happened. Ignore types that you do not know.
             * @constant
             */
            type: "booking.cancelled";
            /**
             * Format: date-time
             * @description When it happened. RFC 3339, in UTC.
             */
            createdAt: string;
            /** @description Where it happened: in the sandbox or in the live service. */
            environment: "test" | "live" | (string & {});
            /** @description Its details. */
            data: components["schemas"]["WebhookBookingCancelledData"];
            /** @description Which event of its booking it is: 1, 2, 3 and so on, without gaps. Keep the highest, and drop what is older. Left out of events from before 1.2. */
            sequence?: number;
        };
        /** @description The booking is cancelled, by you or by the supplier. */
        WebhookBookingCancelledData: {
            /** @description `hotel`, `flight`, `transfer` or `esim`. */
            bookingType: string;
            /** @description The booking's short reference, such as `H-7KQ2M9XD`. */
            bookingReference: string;
            /** @description The booking's id. Use it to read the booking. */
            bookingId: string;
            /** @description Your own reference; `null` if the booking has none. */
            externalReference: string | null;
            /** @description Whether any money is refunded to you. */
            refunded: boolean;
            /** @description How much is refunded, in minor units of `currency`; 0 for nothing. */
            refundCents: number;
            /** @description ISO 4217 code of `refundCents`, such as `EUR`. */
            currency: string;
        };
        /** @description What a delivery of `booking.changed` holds. Its bytes are the same on every attempt. */
        WebhookBookingChanged: {
            /** @description The event's id, `evt_…`: the same on every attempt and at every endpoint. Deduplicate by it. */
            id: string;
            /**
             * @description What happened. Ignore types that you do not know.
             * @constant
             */
            type: "booking.changed";
            /**
             * Format: date-time
             * @description When it happened. RFC 3339, in UTC.
             */
            createdAt: string;
            /** @description Where it happened: in the sandbox or in the live service. */
            environment: "test" | "live" | (string & {});
            /** @description Its details. */
            data: components["schemas"]["WebhookBookingChangedData"];
            /** @description Which event of its booking it is: 1, 2, 3 and so on, without gaps. Keep the highest, and drop what is older. Left out of events from before 1.2. */
            sequence?: number;
        };
        /** @description You changed the booking, by API or in the portal. Read it to see it as it is now. */
        WebhookBookingChangedData: {
            /** @description `hotel`, `flight`, `transfer` or `esim`. */
            bookingType: string;
            /** @description The booking's short reference, such as `H-7KQ2M9XD`. */
            bookingReference: string;
            /** @description The booking's id. Use it to read the booking. */
            bookingId: string;
            /** @description Your own reference; `null` if the booking has none. */
            externalReference: string | null;
            /** @description What was changed, each once: `dates`, `legs`, `services`, `names`, `rooms`. More may be added. */
            changes: string[];
            /** @description What the booking costs you in all from now on, in minor units of `currency`. */
            totalCents: number;
            /** @description What the change adds to the total, in minor units of `currency`. If negative, it is refunded to you, possibly a little later. */
            differenceCents: number;
            /** @description ISO 4217 code of both amounts, such as `EUR`. */
            currency: string;
        };
        /** @description What a delivery of `booking.schedule_changed` holds. Its bytes are the same on every attempt. */
        WebhookBookingScheduleChanged: {
            /** @description The event's id, `evt_…`: the same on every attempt and at every endpoint. Deduplicate by it. */
            id: string;
            /**
             * @description What happened. Ignore types that you do not know.
             * @constant
             */
            type: "booking.schedule_changed";
            /**
             * Format: date-time
             * @description When it happened. RFC 3339, in UTC.
             */
            createdAt: string;
            /** @description Where it happened: in the sandbox or in the live service. */
            environment: "test" | "live" | (string & {});
            /** @description Its details. */
            data: components["schemas"]["WebhookBookingScheduleChangedData"];
            /** @description Which event of its booking it is: 1, 2, 3 and so on, without gaps. Keep the highest, and drop what is older. Left out of events from before 1.2. */
            sequence?: number;
        };
        /** @description The airline has rescheduled a flight of the order. */
        WebhookBookingScheduleChangedData: {
            /** @description `hotel`, `flight`, `transfer` or `esim`. */
            bookingType: string;
            /** @description The booking's short reference, such as `H-7KQ2M9XD`. */
            bookingReference: string;
            /** @description The booking's id. Use it to read the booking. */
            bookingId: string;
            /** @description Your own reference; `null` if the booking has none. */
            externalReference: string | null;
            /** @description The change's id, `schedule_…`. Use it to accept the change. The order's `scheduleChanges` has it. */
            changeId: string;
            /** @description When we learned of it. RFC 3339, in UTC. */
            detectedAt: string;
            /** @description The airline's deadline for a response; `null`: it has named none. */
            respondBy: string | null;
            /** @description The affected legs as they were. Other legs of the order are left out. */
            before: components["schemas"]["FlightSlice"][];
            /** @description The same legs as they are flown now, under the same `sliceId`. Empty: they are no longer flown. */
            after: components["schemas"]["FlightSlice"][];
            /** @description What you can do: `accept` it, `change` the order, `cancel` it, or `contact_us`. */
            availableActions: string[];
        };
        /** @description What a delivery of `booking.supplier_changed` holds. Its bytes are the same on every attempt. */
        WebhookBookingSupplierChanged: {
            /** @description The event's id, `evt_…`: the same on every attempt and at every endpoint. Deduplicate by it. */
            id: string;
            /**
             * @description What happened. Ignore types that you do not know.
             * @constant
             */
            type: "booking.supplier_changed";
            /**
             * Format: date-time
             * @description When it happened. RFC 3339, in UTC.
             */
            createdAt: string;
            /** @description Where it happened: in the sandbox or in the live service. */
            environment: "test" | "live" | (string & {});
            /** @description Its details. */
            data: components["schemas"]["WebhookBookingSupplierChangedData"];
            /** @description Which event of its booking it is: 1, 2, 3 and so on, without gaps. Keep the highest, and drop what is older. Left out of events from before 1.2. */
            sequence?: number;
        };
        /** @description The supplier has changed details of a hotel booking or a transfer. */
        WebhookBookingSupplierChangedData: {
            /** @description `hotel`, `flight`, `transfer` or `esim`. */
            bookingType: string;
            /** @description The booking's short reference, such as `H-7KQ2M9XD`. */
            bookingReference: string;
            /** @description The booking's id. Use it to read the booking. */
            bookingId: string;
            /** @description Your own reference; `null` if the booking has none. */
            externalReference: string | null;
            /** @description When we learned of it. RFC 3339, in UTC. */
            detectedAt: string;
            /** @description What was changed, each field once. */
            changes: components["schemas"]["WebhookChangedFact"][];
        };
        /** @description What a delivery of `booking.approval_requested` holds. Its bytes are the same on every attempt. */
        WebhookBookingApprovalRequested: {
            /** @description The event's id, `evt_…`: the same on every attempt and at every endpoint. Deduplicate by it. */
            id: string;
            /**
             * @description What happened. Ignore types that you do not know.
             * @constant
             */
            type: "booking.approval_requested";
            /**
             * Format: date-time
             * @description When it happened. RFC 3339, in UTC.
             */
            createdAt: string;
            /** @description Where it happened: in the sandbox or in the live service. */
            environment: "test" | "live" | (string & {});
            /** @description Its details. */
            data: components["schemas"]["WebhookBookingApprovalRequestedData"];
            /** @description Which event of its booking it is: 1, 2, 3 and so on, without gaps. Keep the highest, and drop what is older. Left out of events from before 1.2. */
            sequence?: number;
        };
        /** @description Funds are held, and no supplier has been called. Members of your account decide in the portal. */
        WebhookBookingApprovalRequestedData: {
            /** @description `hotel`, `flight`, `transfer` or `esim`. */
            bookingType: string;
            /** @description The booking's short reference, such as `H-7KQ2M9XD`. */
            bookingReference: string;
            /** @description The booking's id. Use it to read the booking. */
            bookingId: string;
            /** @description Your own reference; `null` if the booking has none. */
            externalReference: string | null;
            /** @description What was waiting for approval: `book`, or `pay` for the payment of an order on hold. More may be added. */
            operation: string;
            /** @description What is held for it, in minor units of `currency`. */
            totalCents: number;
            /** @description ISO 4217 code of `totalCents`, such as `EUR`. */
            currency: string;
            /**
             * Format: date-time
             * @description Until when it can be approved, RFC 3339 in UTC. Without approval it then fails.
             */
            approvalExpiresAt: string;
        };
        /** @description What a delivery of `booking.approval_decided` holds. Its bytes are the same on every attempt. */
        WebhookBookingApprovalDecided: {
            /** @description The event's id, `evt_…`: the same on every attempt and at every endpoint. Deduplicate by it. */
            id: string;
            /**
             * @description What happened. Ignore types that you do not know.
             * @constant
             */
            type: "booking.approval_decided";
            /**
             * Format: date-time
             * @description When it happened. RFC 3339, in UTC.
             */
            createdAt: string;
            /** @description Where it happened: in the sandbox or in the live service. */
            environment: "test" | "live" | (string & {});
            /** @description Its details. */
            data: components["schemas"]["WebhookBookingApprovalDecidedData"];
            /** @description Which event of its booking it is: 1, 2, 3 and so on, without gaps. Keep the highest, and drop what is older. Left out of events from before 1.2. */
            sequence?: number;
        };
        /** @description If approved, it is booked now and another event reports the outcome. Otherwise its hold is released. */
        WebhookBookingApprovalDecidedData: {
            /** @description `hotel`, `flight`, `transfer` or `esim`. */
            bookingType: string;
            /** @description The booking's short reference, such as `H-7KQ2M9XD`. */
            bookingReference: string;
            /** @description The booking's id. Use it to read the booking. */
            bookingId: string;
            /** @description Your own reference; `null` if the booking has none. */
            externalReference: string | null;
            /** @description What was waiting for approval: `book`, or `pay` for the payment of an order on hold. More may be added. */
            operation: string;
            /** @description What is held for it, in minor units of `currency`. */
            totalCents: number;
            /** @description ISO 4217 code of `totalCents`, such as `EUR`. */
            currency: string;
            /** @description `approved`, `declined`, `cancelled`, or `expired`: no decision was made in time. */
            decision: string;
            /** @description What the person who declined it wrote; `null`: nothing. */
            reason: string | null;
        };
        /** @description What a delivery of `booking.rejected` holds. Its bytes are the same on every attempt. */
        WebhookBookingRejected: {
            /** @description The event's id, `evt_…`: the same on every attempt and at every endpoint. Deduplicate by it. */
            id: string;
            /**
             * @description What happened. Ignore types that you do not know.
             * @constant
             */
            type: "booking.rejected";
            /**
             * Format: date-time
             * @description When it happened. RFC 3339, in UTC.
             */
            createdAt: string;
            /** @description Where it happened: in the sandbox or in the live service. */
            environment: "test" | "live" | (string & {});
            /** @description Its details. */
            data: components["schemas"]["WebhookBookingRejectedData"];
            /** @description Which event of its booking it is: 1, 2, 3 and so on, without gaps. Keep the highest, and drop what is older. Left out of events from before 1.2. */
            sequence?: number;
        };
        /** @description A booking whose outcome was unknown turned out not to exist. It has failed, and its hold is released. */
        WebhookBookingRejectedData: {
            /** @description `hotel`, `flight`, `transfer` or `esim`. */
            bookingType: string;
            /** @description The booking's short reference, such as `H-7KQ2M9XD`. */
            bookingReference: string;
            /** @description The booking's id. Use it to read the booking. */
            bookingId: string;
            /** @description Your own reference; `null` if the booking has none. */
            externalReference: string | null;
            /** @description Why, in a sentence for people. */
            reason: string;
            /** @description What was held for it and is available again, in minor units of `currency`. */
            releasedCents: number;
            /** @description ISO 4217 code of `releasedCents`, such as `EUR`. */
            currency: string;
        };
        /** @description What a delivery of `booking.hold_expiring` holds. Its bytes are the same on every attempt. */
        WebhookBookingHoldExpiring: {
            /** @description The event's id, `evt_…`: the same on every attempt and at every endpoint. Deduplicate by it. */
            id: string;
            /**
             * @description What happened. Ignore types that you do not know.
             * @constant
             */
            type: "booking.hold_expiring";
            /**
             * Format: date-time
             * @description When it happened. RFC 3339, in UTC.
             */
            createdAt: string;
            /** @description Where it happened: in the sandbox or in the live service. */
            environment: "test" | "live" | (string & {});
            /** @description Its details. */
            data: components["schemas"]["WebhookBookingHoldExpiringData"];
            /** @description Which event of its booking it is: 1, 2, 3 and so on, without gaps. Keep the highest, and drop what is older. Left out of events from before 1.2. */
            sequence?: number;
        };
        /** @description An order on hold has to be paid within six hours. */
        WebhookBookingHoldExpiringData: {
            /** @description `hotel`, `flight`, `transfer` or `esim`. */
            bookingType: string;
            /** @description The booking's short reference, such as `H-7KQ2M9XD`. */
            bookingReference: string;
            /** @description The booking's id. Use it to read the booking. */
            bookingId: string;
            /** @description Your own reference; `null` if the booking has none. */
            externalReference: string | null;
            /**
             * Format: date-time
             * @description Until when the order on hold can be paid, RFC 3339 in UTC.
             */
            payBy: string;
            /** @description What paying it costs, in minor units of `currency`. */
            totalCents: number;
            /** @description ISO 4217 code of `totalCents`, such as `EUR`. */
            currency: string;
        };
        /** @description What a delivery of `booking.hold_expired` holds. Its bytes are the same on every attempt. */
        WebhookBookingHoldExpired: {
            /** @description The event's id, `evt_…`: the same on every attempt and at every endpoint. Deduplicate by it. */
            id: string;
            /**
             * @description What happened. Ignore types that you do not know.
             * @constant
             */
            type: "booking.hold_expired";
            /**
             * Format: date-time
             * @description When it happened. RFC 3339, in UTC.
             */
            createdAt: string;
            /** @description Where it happened: in the sandbox or in the live service. */
            environment: "test" | "live" | (string & {});
            /** @description Its details. */
            data: components["schemas"]["WebhookBookingHoldExpiredData"];
            /** @description Which event of its booking it is: 1, 2, 3 and so on, without gaps. Keep the highest, and drop what is older. Left out of events from before 1.2. */
            sequence?: number;
        };
        /** @description An order on hold was not paid in time. The airline has freed its seats. */
        WebhookBookingHoldExpiredData: {
            /** @description `hotel`, `flight`, `transfer` or `esim`. */
            bookingType: string;
            /** @description The booking's short reference, such as `H-7KQ2M9XD`. */
            bookingReference: string;
            /** @description The booking's id. Use it to read the booking. */
            bookingId: string;
            /** @description Your own reference; `null` if the booking has none. */
            externalReference: string | null;
            /**
             * Format: date-time
             * @description Until when the order on hold can be paid, RFC 3339 in UTC.
             */
            payBy: string;
            /** @description What paying it costs, in minor units of `currency`. */
            totalCents: number;
            /** @description ISO 4217 code of `totalCents`, such as `EUR`. */
            currency: string;
        };
        /** @description What a delivery of `payment.refunded` holds. Its bytes are the same on every attempt. */
        WebhookPaymentRefunded: {
            /** @description The event's id, `evt_…`: the same on every attempt and at every endpoint. Deduplicate by it. */
            id: string;
            /**
             * @description What happened. Ignore types that you do not know.
             * @constant
             */
            type: "payment.refunded";
            /**
             * Format: date-time
             * @description When it happened. RFC 3339, in UTC.
             */
            createdAt: string;
            /** @description Where it happened: in the sandbox or in the live service. */
            environment: "test" | "live" | (string & {});
            /** @description Its details. */
            data: components["schemas"]["WebhookPaymentRefundedData"];
            /** @description Which event of its booking it is: 1, 2, 3 and so on, without gaps. Keep the highest, and drop what is older. Left out of events from before 1.2. */
            sequence?: number;
        };
        /** @description Money of a booking was refunded to your balance. */
        WebhookPaymentRefundedData: {
            /** @description `hotel`, `flight`, `transfer` or `esim`. */
            bookingType: string;
            /** @description The booking's short reference, such as `H-7KQ2M9XD`. */
            bookingReference: string;
            /** @description The booking's id. Use it to read the booking. */
            bookingId: string;
            /** @description Your own reference; `null` if the booking has none. */
            externalReference: string | null;
            /** @description How much was refunded to your balance, in minor units of `currency`. */
            refundCents: number;
            /** @description ISO 4217 code of `refundCents`, such as `EUR`. */
            currency: string;
        };
        /** @description What a delivery of `airline_credit.issued` holds. Its bytes are the same on every attempt. */
        WebhookAirlineCreditIssued: {
            /** @description The event's id, `evt_…`: the same on every attempt and at every endpoint. Deduplicate by it. */
            id: string;
            /**
             * @description What happened. Ignore types that you do not know.
             * @constant
             */
            type: "airline_credit.issued";
            /**
             * Format: date-time
             * @description When it happened. RFC 3339, in UTC.
             */
            createdAt: string;
            /** @description Where it happened: in the sandbox or in the live service. */
            environment: "test" | "live" | (string & {});
            /** @description Its details. */
            data: components["schemas"]["WebhookAirlineCreditIssuedData"];
            /** @description Which event of its booking it is: 1, 2, 3 and so on, without gaps. Keep the highest, and drop what is older. Left out of events from before 1.2. */
            sequence?: number;
        };
        /** @description The airline has issued credit for the travellers of a cancelled order, in place of a refund to your balance. */
        WebhookAirlineCreditIssuedData: {
            /** @description `hotel`, `flight`, `transfer` or `esim`. */
            bookingType: string;
            /** @description The booking's short reference, such as `H-7KQ2M9XD`. */
            bookingReference: string;
            /** @description The booking's id. Use it to read the booking. */
            bookingId: string;
            /** @description Your own reference; `null` if the booking has none. */
            externalReference: string | null;
            /** @description What it issued, for each passenger. */
            airlineCredits: components["schemas"]["WebhookAirlineCredit"][];
        };
        /** @description What a delivery of `esim.provisioned` holds. Its bytes are the same on every attempt. */
        WebhookEsimProvisioned: {
            /** @description The event's id, `evt_…`: the same on every attempt and at every endpoint. Deduplicate by it. */
            id: string;
            /**
             * @description What happened. Ignore types that you do not know.
             * @constant
             */
            type: "esim.provisioned";
            /**
             * Format: date-time
             * @description When it happened. RFC 3339, in UTC.
             */
            createdAt: string;
            /** @description Where it happened: in the sandbox or in the live service. */
            environment: "test" | "live" | (string & {});
            /** @description Its details. */
            data: components["schemas"]["WebhookEsimProvisionedData"];
            /** @description Which event of its booking it is: 1, 2, 3 and so on, without gaps. Keep the highest, and drop what is older. Left out of events from before 1.2. */
            sequence?: number;
        };
        /** @description The eSIM can be installed. */
        WebhookEsimProvisionedData: {
            /** @description `hotel`, `flight`, `transfer` or `esim`. */
            bookingType: string;
            /** @description The booking's short reference, such as `H-7KQ2M9XD`. */
            bookingReference: string;
            /** @description The booking's id. Use it to read the booking. */
            bookingId: string;
            /** @description Your own reference; `null` if the booking has none. */
            externalReference: string | null;
            /** @description The order's id, `eord_…`: the same as `bookingId`. */
            purchaseId: string;
            /** @description The number of the eSIM's profile. */
            iccid: string;
            /** @description The name of the plan that was bought. */
            planName: string;
            /** @description Always `provisioned`: the eSIM can be installed. */
            status: string;
        };
        /** @description What a delivery of `esim.topped_up` holds. Its bytes are the same on every attempt. */
        WebhookEsimToppedUp: {
            /** @description The event's id, `evt_…`: the same on every attempt and at every endpoint. Deduplicate by it. */
            id: string;
            /**
             * @description What happened. Ignore types that you do not know.
             * @constant
             */
            type: "esim.topped_up";
            /**
             * Format: date-time
             * @description When it happened. RFC 3339, in UTC.
             */
            createdAt: string;
            /** @description Where it happened: in the sandbox or in the live service. */
            environment: "test" | "live" | (string & {});
            /** @description Its details. */
            data: components["schemas"]["WebhookEsimToppedUpData"];
            /** @description Which event of its booking it is: 1, 2, 3 and so on, without gaps. Keep the highest, and drop what is older. Left out of events from before 1.2. */
            sequence?: number;
        };
        /** @description A plan was added to an eSIM. `bookingId` and `bookingReference` are the top-up's own. */
        WebhookEsimToppedUpData: {
            /** @description `hotel`, `flight`, `transfer` or `esim`. */
            bookingType: string;
            /** @description The booking's short reference, such as `H-7KQ2M9XD`. */
            bookingReference: string;
            /** @description The booking's id. Use it to read the booking. */
            bookingId: string;
            /** @description Your own reference; `null` if the booking has none. */
            externalReference: string | null;
            /** @description The order of the eSIM, `eord_…`. */
            orderId: string;
            /** @description The number of the eSIM's profile. */
            iccid: string;
            /** @description The name of the plan that was added. */
            planName: string;
            /** @description What the top-up costs you in all, in minor units of `currency`. */
            totalCents: number;
            /** @description ISO 4217 code of `totalCents`, such as `EUR`. */
            currency: string;
        };
        /** @description What a delivery of `esim.data_low` holds. Its bytes are the same on every attempt. */
        WebhookEsimDataLow: {
            /** @description The event's id, `evt_…`: the same on every attempt and at every endpoint. Deduplicate by it. */
            id: string;
            /**
             * @description What happened. Ignore types that you do not know.
             * @constant
             */
            type: "esim.data_low";
            /**
             * Format: date-time
             * @description When it happened. RFC 3339, in UTC.
             */
            createdAt: string;
            /** @description Where it happened: in the sandbox or in the live service. */
            environment: "test" | "live" | (string & {});
            /** @description Its details. */
            data: components["schemas"]["WebhookEsimDataLowData"];
            /** @description Which event of its booking it is: 1, 2, 3 and so on, without gaps. Keep the highest, and drop what is older. Left out of events from before 1.2. */
            sequence?: number;
        };
        /** @description An eSIM is running low. One of the two numbers shows how; the other is `null`. */
        WebhookEsimDataLowData: {
            /** @description `hotel`, `flight`, `transfer` or `esim`. */
            bookingType: string;
            /** @description The booking's short reference, such as `H-7KQ2M9XD`. */
            bookingReference: string;
            /** @description The booking's id. Use it to read the booking. */
            bookingId: string;
            /** @description Your own reference; `null` if the booking has none. */
            externalReference: string | null;
            /** @description The order of the eSIM, `eord_…`: the same as `bookingId`. */
            orderId: string;
            /** @description The number of the eSIM's profile. */
            iccid: string;
            /** @description How much of its data is used, in percent: 75 or 90. More may be added. */
            percentUsed: number | null;
            /** @description In how many days its plan ends: 3 or 1. More may be added. */
            daysLeft: number | null;
        };
        /** @description What a delivery of `esim.status_changed` holds. Its bytes are the same on every attempt. */
        WebhookEsimStatusChanged: {
            /** @description The event's id, `evt_…`: the same on every attempt and at every endpoint. Deduplicate by it. */
            id: string;
            /**
             * @description What happened. Ignore types that you do not know.
             * @constant
             */
            type: "esim.status_changed";
            /**
             * Format: date-time
             * @description When it happened. RFC 3339, in UTC.
             */
            createdAt: string;
            /** @description Where it happened: in the sandbox or in the live service. */
            environment: "test" | "live" | (string & {});
            /** @description Its details. */
            data: components["schemas"]["WebhookEsimStatusChangedData"];
            /** @description Which event of its booking it is: 1, 2, 3 and so on, without gaps. Keep the highest, and drop what is older. Left out of events from before 1.2. */
            sequence?: number;
        };
        /** @description An eSIM was installed, activated, used up or has expired. */
        WebhookEsimStatusChangedData: {
            /** @description `hotel`, `flight`, `transfer` or `esim`. */
            bookingType: string;
            /** @description The booking's short reference, such as `H-7KQ2M9XD`. */
            bookingReference: string;
            /** @description The booking's id. Use it to read the booking. */
            bookingId: string;
            /** @description Your own reference; `null` if the booking has none. */
            externalReference: string | null;
            /** @description The order of the eSIM, `eord_…`: the same as `bookingId`. */
            orderId: string;
            /** @description The number of the eSIM's profile. */
            iccid: string;
            /** @description `not_installed`, `active`, `depleted` or `expired`, as in its usage. */
            status: string;
            /** @description What it was before, as far as we knew. Steps between the two may be left out. */
            previousStatus: string;
        };
        /** @description What a delivery of `esim.refund_decided` holds. Its bytes are the same on every attempt. */
        WebhookEsimRefundDecided: {
            /** @description The event's id, `evt_…`: the same on every attempt and at every endpoint. Deduplicate by it. */
            id: string;
            /**
             * @description What happened. Ignore types that you do not know.
             * @constant
             */
            type: "esim.refund_decided";
            /**
             * Format: date-time
             * @description When it happened. RFC 3339, in UTC.
             */
            createdAt: string;
            /** @description Where it happened: in the sandbox or in the live service. */
            environment: "test" | "live" | (string & {});
            /** @description Its details. */
            data: components["schemas"]["WebhookEsimRefundDecidedData"];
            /** @description Which event of its booking it is: 1, 2, 3 and so on, without gaps. Keep the highest, and drop what is older. Left out of events from before 1.2. */
            sequence?: number;
        };
        /** @description A refund request of an eSIM is decided. `payment.refunded` is also sent if money is refunded. */
        WebhookEsimRefundDecidedData: {
            /** @description `hotel`, `flight`, `transfer` or `esim`. */
            bookingType: string;
            /** @description The booking's short reference, such as `H-7KQ2M9XD`. */
            bookingReference: string;
            /** @description The booking's id. Use it to read the booking. */
            bookingId: string;
            /** @description Your own reference; `null` if the booking has none. */
            externalReference: string | null;
            /** @description The order of the eSIM, `eord_…`: the same as `bookingId`. */
            orderId: string;
            /** @description The number of the eSIM's profile. */
            iccid: string;
            /** @description `granted` or `declined`. */
            decision: string;
            /** @description What is refunded to your balance, in minor units of `currency`; 0 if it is declined. */
            refundedCents: number;
            /** @description ISO 4217 code of `refundedCents`, such as `EUR`. */
            currency: string;
        };
        /** @description What a delivery of `webhook.test` holds. Its bytes are the same on every attempt. */
        WebhookTest: {
            /** @description The event's id, `evt_…`: the same on every attempt and at every endpoint. Deduplicate by it. */
            id: string;
            /**
             * @description What happened. Ignore types that you do not know.
             * @constant
             */
            type: "webhook.test";
            /**
             * Format: date-time
             * @description When it happened. RFC 3339, in UTC.
             */
            createdAt: string;
            /** @description Where it happened: in the sandbox or in the live service. */
            environment: "test" | "live" | (string & {});
            /** @description Its details. */
            data: components["schemas"]["WebhookTestData"];
        };
        /** @description A requested test. No subscription is needed. */
        WebhookTestData: {
            /** @description The endpoint that is tested, `we_…`. */
            endpointId: string;
            /** @description A sentence stating that this is a test. */
            message: string;
        };
        /** @description One field of the booking, before and after. */
        WebhookChangedFact: {
            /** @description The field of the booking, with dots if it is nested: `checkIn`, `pickup.at`. */
            field: string;
            /** @description Its previous value, as text; `null` for texts, which the booking shows (`remarks`). */
            before: string | null;
            /** @description Its new value, as text; `null` as in `before`. */
            after: string | null;
        };
        /** @description One credit. Its code belongs to the traveller and is not in events: read the order for it. */
        WebhookAirlineCredit: {
            /** @description The passenger: an index into the order's `passengers`, from 0; `null`: not known. */
            passenger: number | null;
            /** @description What it is worth, in minor units of `currency`. */
            amountCents: number;
            /** @description ISO 4217 code of `amountCents`, such as `EUR`. */
            currency: string;
            /** @description The last day on which it can be spent, `YYYY-MM-DD`; `null`: ask the airline. */
            expiresOn: string | null;
        };
    };
    responses: never;
    parameters: {
        /**
         * @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request: for 24 hours you get the first call's response, or the call resumes what a 5xx left unfinished, and nothing is booked twice.
         * @example 1b239c69-7da8-41cb-964c-269637287c60
         */
        IdempotencyKey: string;
        /**
         * @description How many rows the page may have.
         * @example 1
         */
        PageLimit: number;
        /**
         * @description `nextCursor` of the page before, with the same filters. Left out: the first page. Any other value gets 400.
         * @example WyIyZGM1YTU1MjJmZDljODU0IiwiMjAyNi0xMi0wMVQxMToxMzowMCswMDowMCIsImhia18wMW04cm14bmswMDAwMDAwMDAwMDAwMDAwMSJd:1xYLs0:830BP-ZY_SwvujSluD4fDZhZ9xTGAjuZmWhm_foS5R0
         */
        PageCursor: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    ping: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Check that the service responds. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ping"];
                };
            };
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read the account, its balance, the calling key and its limits. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
        };
    };
    listLedgerEntries: {
        parameters: {
            query?: {
                /**
                 * @description How many rows the page may have.
                 * @example 1
                 */
                limit?: components["parameters"]["PageLimit"];
                /**
                 * @description `nextCursor` of the page before, with the same filters. Left out: the first page. Any other value gets 400.
                 * @example WyIyZGM1YTU1MjJmZDljODU0IiwiMjAyNi0xMi0wMVQxMToxMzowMCswMDowMCIsImhia18wMW04cm14bmswMDAwMDAwMDAwMDAwMDAwMSJd:1xYLs0:830BP-ZY_SwvujSluD4fDZhZ9xTGAjuZmWhm_foS5R0
                 */
                cursor?: components["parameters"]["PageCursor"];
                /**
                 * @description Only entries of this type.
                 * @example hold
                 */
                type?: "top_up" | "hold" | "capture" | "release" | "refund" | "adjustment";
                /**
                 * @description Only entries of the booking with this reference, such as `H-7KQ2M9XD`, spelled exactly.
                 * @example E-2NG5RDQ6
                 */
                bookingReference?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List ledger entries, newest first, with the balance. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerEntryList"];
                };
            };
        };
    };
    listAccountStatements: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the months that have a statement, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountStatementList"];
                };
            };
        };
    };
    getAccountStatement: {
        parameters: {
            query?: {
                /**
                 * @description `json`: figures and the first 1,000 ledger entries. `csv`: all entries, with a header. `pdf`: figures and the first 500 entries, A4.
                 * @example csv
                 */
                format?: "json" | "csv" | "pdf";
            };
            header?: never;
            path: {
                /**
                 * @description The month, `YYYY-MM`, of the account's statements.
                 * @example 2027-01
                 */
                month: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read the statement of a month: opening balance, movements, closing balance. The body is JSON, or a file: `text/csv` or `application/pdf`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountStatement"];
                    "text/csv": unknown;
                    "application/pdf": unknown;
                };
            };
        };
    };
    getSearchUsage: {
        parameters: {
            query?: {
                /**
                 * @description The first UTC day to count, itself included, `YYYY-MM-DD`. Left out: 29 days before `to`.
                 * @example 2026-12-01
                 */
                from?: string;
                /**
                 * @description The last UTC day to count, itself included, `YYYY-MM-DD`: 92 days at most with `from`. Left out: today.
                 * @example 2026-12-01
                 */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Count billable searches by UTC day, product and key, as on an invoice. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchUsage"];
                };
            };
        };
    };
    findOperation: {
        parameters: {
            query: {
                /**
                 * @description The `Idempotency-Key` that the request was sent with.
                 * @example 7220c6f7-1439-47d5-9ebf-1c2d4da7e534
                 */
                idempotencyKey: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Look up the outcome of a POST by its Idempotency-Key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallOutcome"];
                };
            };
        };
    };
    searchPlaces: {
        parameters: {
            query?: {
                /**
                 * @description What your user typed, in any language and alphabet: a name or the beginning of one, `Paris, France`, or an IATA code. At least one letter or digit. Required unless `near` is sent.
                 * @example Лисабон
                 */
                query?: string;
                /**
                 * @description Only places of these types, separated by commas: `city`, `airport`, `hotel`, `landmark`. Left out: all.
                 * @example airport
                 */
                types?: string;
                /**
                 * @description Only places in this country. ISO 3166-1 alpha-2 code in capitals, such as `PT`; `XK` is Kosovo.
                 * @example PT
                 */
                countryCode?: string;
                /**
                 * @description Latitude and longitude in degrees, separated by a comma. With `query`: nearer places rank higher. Without: the nearest places.
                 * @example 48.86,2.3
                 */
                near?: string;
                /**
                 * @description How many places the answer may have.
                 * @example 1
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Search places as a user types. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Places"];
                };
            };
        };
    };
    listBookings: {
        parameters: {
            query?: {
                /**
                 * @description How many rows the page may have.
                 * @example 1
                 */
                limit?: components["parameters"]["PageLimit"];
                /**
                 * @description `nextCursor` of the page before, with the same filters. Left out: the first page. Any other value gets 400.
                 * @example WyIyZGM1YTU1MjJmZDljODU0IiwiMjAyNi0xMi0wMVQxMToxMzowMCswMDowMCIsImhia18wMW04cm14bmswMDAwMDAwMDAwMDAwMDAwMSJd:1xYLs0:830BP-ZY_SwvujSluD4fDZhZ9xTGAjuZmWhm_foS5R0
                 */
                cursor?: components["parameters"]["PageCursor"];
                /**
                 * @description Only bookings of the trip with this reference of your own, spelled exactly.
                 * @example ACME-TRIP-7
                 */
                tripReference?: string;
                /**
                 * @description Only bookings of this product. Left out: all products that the key may read.
                 * @example hotel
                 */
                product?: "hotel" | "flight" | "transfer" | "esim";
                /**
                 * @description Only bookings that have this status now.
                 * @example confirmed
                 */
                status?: "pending" | "awaiting_approval" | "on_hold" | "confirmed" | "ticketed" | "provisioned" | "cancelled" | "failed";
                /**
                 * @description Only bookings that changed at this instant or later, RFC 3339, not in the future. The list is then ordered by `updatedAt`, oldest first. A change appears about five seconds later. To continue, send the last `updatedAt` that you read: bookings that changed at that instant are repeated, and none is missed.
                 * @example 2026-12-01T14:04:00.000Z
                 */
                updatedSince?: string;
                /**
                 * @description Only bookings whose first service begins on this day or later, `YYYY-MM-DD`, in local time: the day of arrival at a hotel, of the first flight or of the first ride. eSIM orders have no such day and are left out.
                 * @example 2026-12-01
                 */
                serviceFrom?: string;
                /**
                 * @description Only bookings whose first service begins on this day or earlier, as `serviceFrom` has it.
                 * @example 2027-12-31
                 */
                serviceTo?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the bookings of all products, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnyBookingList"];
                };
            };
        };
    };
    getTripDocument: {
        parameters: {
            query: {
                /**
                 * @description Your own reference of the trip, spelled exactly.
                 * @example ACME-TRIP-7
                 */
                tripReference: string;
                /**
                 * @description `voucher`: what a hotel or a driver asks for, the confirmation of a flight, the code of an eSIM. `itinerary`: when and where, without terms. `receipt`: the payment, and the refund if it was cancelled.
                 * @example itinerary
                 */
                type?: "voucher" | "receipt" | "itinerary";
                /**
                 * @description `pdf` (A4) or `html`, a self-contained page. The `Accept` header is ignored.
                 * @example pdf
                 */
                format?: "pdf" | "html";
                /**
                 * @description A language tag such as `de` or `pt-BR`. Documents exist in en, de, fr, es, pt and it; in another language they are in English. What hotels and suppliers wrote stays as it is.
                 * @example fr
                 */
                language?: string;
                /**
                 * @description `none`: no price, and a receipt states that it was paid. `net`: what you pay. `sold`: the booking's `soldForCents`; 409 if it has none.
                 * @example none
                 */
                prices?: "none" | "net" | "sold";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get one document of all bookings of a trip. The body is a file: `application/pdf` or `text/html`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": unknown;
                    "text/html": unknown;
                };
            };
        };
    };
    searchHotels: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request: for 24 hours you get the first call's response, or the call resumes what a 5xx left unfinished, and nothing is booked twice.
                 * @example 1b239c69-7da8-41cb-964c-269637287c60
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["HotelSearchRequest"];
            };
        };
        responses: {
            /** @description Search hotels. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HotelSearch"];
                };
            };
        };
    };
    getHotelSearch: {
        parameters: {
            query?: {
                /**
                 * @description How many hotels the page may have. Left out: the search's `pageSize`, or all if it had none.
                 * @example 1
                 */
                limit?: number;
                /**
                 * @description `nextCursor` of the page before. Left out: the first page. A cursor of another search gets 400.
                 * @example WyI5YjYyNjk4MGUzM2MwOWVhIiwiMiJd:1xYLdU:g7eprqe3B3LTS9UbKvvd8yFmcbEZ3XWuFisCKkyPpPs
                 */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The search's id, `hsr_…`, from a search of the last 24 hours.
                 * @example hsr_01m8rm7pf00000000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read a hotel search again, for 24 hours. Free. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HotelSearch"];
                };
            };
        };
    };
    searchHotelMinRates: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request: for 24 hours you get the first call's response, or the call resumes what a 5xx left unfinished, and nothing is booked twice.
                 * @example 1b239c69-7da8-41cb-964c-269637287c60
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HotelMinRatesRequest"];
            };
        };
        responses: {
            /** @description Find the cheapest dates of hotels. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HotelMinRates"];
                };
            };
        };
    };
    getHotelRate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_offer_expired" | (string & {});
            };
            path: {
                /**
                 * @description The rate's `rateId`, `rate_…`, from a search of the last 20 minutes.
                 * @example rate_01m8rm7pf0000000000000000101
                 */
                rateId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read a rate as it was quoted. Free. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuotedHotelRate"];
                };
            };
        };
    };
    listHotelProperties: {
        parameters: {
            query?: {
                /**
                 * @description How many rows the page may have.
                 * @example 1
                 */
                limit?: components["parameters"]["PageLimit"];
                /**
                 * @description `nextCursor` of the page before, with the same filters. Left out: the first page. Any other value gets 400.
                 * @example WyIyZGM1YTU1MjJmZDljODU0IiwiMjAyNi0xMi0wMVQxMToxMzowMCswMDowMCIsImhia18wMW04cm14bmswMDAwMDAwMDAwMDAwMDAwMSJd:1xYLs0:830BP-ZY_SwvujSluD4fDZhZ9xTGAjuZmWhm_foS5R0
                 */
                cursor?: components["parameters"]["PageCursor"];
                /**
                 * @description Only hotels in this country. ISO 3166-1 alpha-2 code in capitals, such as `PT`; `XK` is Kosovo.
                 * @example PT
                 */
                countryCode?: string;
                /**
                 * @description Only hotels in a city of this name, without regard to case and accents. Large cities are known by their names in other languages as well. Send `countryCode` too if there are several of that name.
                 * @example Lisbon
                 */
                city?: string;
                /**
                 * @description Only hotels whose content changed at this instant or later, RFC 3339, not in the future. Hotels that were withdrawn are included, with `deleted: true`. A change appears about five seconds later. To continue, send the last `updatedAt` that you read: hotels that changed at that instant are repeated, and none is missed.
                 * @example 2026-12-01T16:01:00.000Z
                 */
                updatedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List hotels with their facts. Free. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HotelPropertySummaryList"];
                };
            };
        };
    };
    getHotelProperty: {
        parameters: {
            query?: {
                /**
                 * @description The language of all texts, such as `de` or `pt-BR`, of which the first part counts, in any case. If left out, or if the hotel has no description in it: English, and `language` is `en`.
                 * @example de
                 */
                language?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The hotel's `hotelId`, from a search or a list.
                 * @example htl_2267057_00
                 */
                hotelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read a hotel: texts, pictures, facilities, rooms and policies. Free. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HotelProperty"];
                };
            };
        };
    };
    listHotelBookings: {
        parameters: {
            query?: {
                /**
                 * @description How many rows the page may have.
                 * @example 1
                 */
                limit?: components["parameters"]["PageLimit"];
                /**
                 * @description `nextCursor` of the page before, with the same filters. Left out: the first page. Any other value gets 400.
                 * @example WyIyZGM1YTU1MjJmZDljODU0IiwiMjAyNi0xMi0wMVQxMToxMzowMCswMDowMCIsImhia18wMW04cm14bmswMDAwMDAwMDAwMDAwMDAwMSJd:1xYLs0:830BP-ZY_SwvujSluD4fDZhZ9xTGAjuZmWhm_foS5R0
                 */
                cursor?: components["parameters"]["PageCursor"];
                /**
                 * @description Only bookings with this reference of your own, spelled exactly.
                 * @example ACME-1001
                 */
                externalReference?: string;
                /**
                 * @description Only bookings of the trip with this reference of your own, spelled exactly.
                 * @example ACME-TRIP-7
                 */
                tripReference?: string;
                /**
                 * @description Only bookings that have this status now.
                 * @example confirmed
                 */
                status?: "pending" | "awaiting_approval" | "confirmed" | "cancelled" | "failed";
                /**
                 * @description Only bookings that changed at this instant or later, RFC 3339, not in the future. The list is then ordered by `updatedAt`, oldest first. A change appears about five seconds later. To continue, send the last `updatedAt` that you read: bookings that changed at that instant are repeated, and none is missed.
                 * @example 2026-12-01T11:08:00.000Z
                 */
                updatedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List hotel bookings, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HotelBookingList"];
                };
            };
        };
    };
    createHotelBooking: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request: for 24 hours you get the first call's response, or the call resumes what a 5xx left unfinished, and nothing is booked twice.
                 * @example 1b239c69-7da8-41cb-964c-269637287c60
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_offer_expired" | "sbx_price_changed" | "sbx_insufficient_funds" | "sbx_payment_failed" | "sbx_supplier_error" | "sbx_slow" | "sbx_supplier_changed" | "sbx_pending" | (string & {});
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HotelBookingRequest"];
            };
        };
        responses: {
            /** @description Book a hotel rate. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HotelBooking"];
                };
            };
        };
    };
    getHotelBooking: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The booking's id, `hbk_…`.
                 * @example hbk_01m8rmmgm00000000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read a hotel booking. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HotelBooking"];
                };
            };
        };
    };
    cancelHotelBooking: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request: for 24 hours you get the first call's response, or the call resumes what a 5xx left unfinished, and nothing is booked twice.
                 * @example 1b239c69-7da8-41cb-964c-269637287c60
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path: {
                /**
                 * @description The booking's id, `hbk_…`.
                 * @example hbk_01m8rmmgm00000000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelRequest"];
            };
        };
        responses: {
            /** @description Cancel a hotel booking. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HotelBooking"];
                };
            };
        };
    };
    findHotelChangeOptions: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request: for 24 hours you get the first call's response, or the call resumes what a 5xx left unfinished, and nothing is booked twice.
                 * @example 1b239c69-7da8-41cb-964c-269637287c60
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path: {
                /**
                 * @description The booking's id, `hbk_…`.
                 * @example hbk_01m8rmmgm00000000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["HotelChangeOptionsRequest"];
            };
        };
        responses: {
            /** @description Price other dates or rooms for a hotel booking. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HotelChangeOptions"];
                };
            };
        };
    };
    changeHotelBooking: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request: for 24 hours you get the first call's response, or the call resumes what a 5xx left unfinished, and nothing is booked twice.
                 * @example 1b239c69-7da8-41cb-964c-269637287c60
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_offer_expired" | "sbx_price_changed" | "sbx_insufficient_funds" | "sbx_payment_failed" | "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path: {
                /**
                 * @description The booking's id, `hbk_…`.
                 * @example hbk_01m8rmmgm00000000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HotelChangeRequest"];
            };
        };
        responses: {
            /** @description Change the dates or rooms of a hotel booking. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedHotelBooking"];
                };
            };
        };
    };
    quoteHotelCancellation: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request: for 24 hours you get the first call's response, or the call resumes what a 5xx left unfinished, and nothing is booked twice.
                 * @example 1b239c69-7da8-41cb-964c-269637287c60
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path: {
                /**
                 * @description The booking's id, `hbk_…`.
                 * @example hbk_01m8rmmgm00000000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancellationQuoteRequest"];
            };
        };
        responses: {
            /** @description Quote the cancellation of a hotel booking. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancellationQuote"];
                };
            };
        };
    };
    correctHotelGuest: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request: for 24 hours you get the first call's response, or the call resumes what a 5xx left unfinished, and nothing is booked twice.
                 * @example 1b239c69-7da8-41cb-964c-269637287c60
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_supplier_error" | "sbx_slow" | "sbx_pending" | (string & {});
            };
            path: {
                /**
                 * @description The booking's id, `hbk_…`.
                 * @example hbk_01m8rmmgm00000000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HotelCorrectGuestRequest"];
            };
        };
        responses: {
            /** @description Request a correction of the lead guest's name. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HotelBooking"];
                };
            };
        };
    };
    searchFlights: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request: for 24 hours you get the first call's response, or the call resumes what a 5xx left unfinished, and nothing is booked twice.
                 * @example 1b239c69-7da8-41cb-964c-269637287c60
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FlightSearchRequest"];
            };
        };
        responses: {
            /** @description Search flights. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlightSearchResponse"];
                };
            };
        };
    };
    getFlightSearch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The search's id, `fsr_…`, from a search of the last 24 hours.
                 * @example fsr_01m8rshzp00000000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read a flight search again, for 24 hours. Free. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlightSearchResponse"];
                };
            };
        };
    };
    repriceFlightOffer: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_offer_expired" | "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path: {
                /**
                 * @description The offer's `offerId`, `offer_…`, from a search of the last 20 minutes.
                 * @example offer_01m8rqnj30000000000000000101
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Re-price an offer with the airline. Billable. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepricedFlightOffer"];
                };
            };
        };
    };
    listFlightOfferServices: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_offer_expired" | "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path: {
                /**
                 * @description The offer's `offerId`, `offer_…`, from a search of the last 20 minutes.
                 * @example offer_01m8rrw0j0000000000000000100
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the bags that can be bought with an offer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlightServicesResponse"];
                };
            };
        };
    };
    getFlightOfferSeatMaps: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_offer_expired" | "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path: {
                /**
                 * @description The offer's `offerId`, `offer_…`, from a search of the last 20 minutes.
                 * @example offer_01m8rrw0j0000000000000000100
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read the seat maps of an offer's flights. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlightSeatMapsResponse"];
                };
            };
        };
    };
    listFlightOrders: {
        parameters: {
            query?: {
                /**
                 * @description How many rows the page may have.
                 * @example 1
                 */
                limit?: components["parameters"]["PageLimit"];
                /**
                 * @description `nextCursor` of the page before, with the same filters. Left out: the first page. Any other value gets 400.
                 * @example WyIyZGM1YTU1MjJmZDljODU0IiwiMjAyNi0xMi0wMVQxMToxMzowMCswMDowMCIsImhia18wMW04cm14bmswMDAwMDAwMDAwMDAwMDAwMSJd:1xYLs0:830BP-ZY_SwvujSluD4fDZhZ9xTGAjuZmWhm_foS5R0
                 */
                cursor?: components["parameters"]["PageCursor"];
                /**
                 * @description Only bookings with this reference of your own, spelled exactly.
                 * @example ACME-2001
                 */
                externalReference?: string;
                /**
                 * @description Only bookings of the trip with this reference of your own, spelled exactly.
                 * @example ACME-TRIP-7
                 */
                tripReference?: string;
                /**
                 * @description Only bookings that have this status now.
                 * @example ticketed
                 */
                status?: "pending" | "awaiting_approval" | "on_hold" | "ticketed" | "cancelled" | "failed";
                /**
                 * @description Only bookings that changed at this instant or later, RFC 3339, not in the future. The list is then ordered by `updatedAt`, oldest first. A change appears about five seconds later. To continue, send the last `updatedAt` that you read: bookings that changed at that instant are repeated, and none is missed.
                 * @example 2026-12-01T12:03:00.000Z
                 */
                updatedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List flight orders, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlightOrderList"];
                };
            };
        };
    };
    createFlightOrder: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request: for 24 hours you get the first call's response, or the call resumes what a 5xx left unfinished, and nothing is booked twice.
                 * @example 1b239c69-7da8-41cb-964c-269637287c60
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_offer_expired" | "sbx_price_changed" | "sbx_insufficient_funds" | "sbx_payment_failed" | "sbx_supplier_error" | "sbx_slow" | "sbx_schedule_changed" | "sbx_pending" | (string & {});
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FlightOrderRequest"];
            };
        };
        responses: {
            /** @description Order a flight offer. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlightOrder"];
                };
            };
        };
    };
    getFlightOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The order's id, `ford_…`.
                 * @example ford_01m8rqs7900000000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read a flight order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlightOrder"];
                };
            };
        };
    };
    cancelFlightOrder: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request: for 24 hours you get the first call's response, or the call resumes what a 5xx left unfinished, and nothing is booked twice.
                 * @example 1b239c69-7da8-41cb-964c-269637287c60
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path: {
                /**
                 * @description The order's id, `ford_…`.
                 * @example ford_01m8rqs7900000000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FlightCancelRequest"];
            };
        };
        responses: {
            /** @description Cancel a flight order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlightOrder"];
                };
            };
        };
    };
    quoteFlightCancellation: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request: for 24 hours you get the first call's response, or the call resumes what a 5xx left unfinished, and nothing is booked twice.
                 * @example 1b239c69-7da8-41cb-964c-269637287c60
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path: {
                /**
                 * @description The order's id, `ford_…`.
                 * @example ford_01m8rqs7900000000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancellationQuoteRequest"];
            };
        };
        responses: {
            /** @description Quote the cancellation of a flight order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancellationQuote"];
                };
            };
        };
    };
    payFlightOrder: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request: for 24 hours you get the first call's response, or the call resumes what a 5xx left unfinished, and nothing is booked twice.
                 * @example 1b239c69-7da8-41cb-964c-269637287c60
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_offer_expired" | "sbx_price_changed" | "sbx_insufficient_funds" | "sbx_payment_failed" | "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path: {
                /**
                 * @description The order's id, `ford_…`.
                 * @example ford_01m8rqwwf00000000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PayFlightOrderRequest"];
            };
        };
        responses: {
            /** @description Pay for a flight order on hold. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlightOrder"];
                };
            };
        };
    };
    listFlightChangeOptions: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request: for 24 hours you get the first call's response, or the call resumes what a 5xx left unfinished, and nothing is booked twice.
                 * @example 1b239c69-7da8-41cb-964c-269637287c60
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path: {
                /**
                 * @description The order's id, `ford_…`.
                 * @example ford_01m8rqs7900000000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FlightChangeOptionsRequest"];
            };
        };
        responses: {
            /** @description Price alternatives to one slice of an order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlightChangeOptionsResponse"];
                };
            };
        };
    };
    changeFlightOrder: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request: for 24 hours you get the first call's response, or the call resumes what a 5xx left unfinished, and nothing is booked twice.
                 * @example 1b239c69-7da8-41cb-964c-269637287c60
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_offer_expired" | "sbx_price_changed" | "sbx_insufficient_funds" | "sbx_payment_failed" | "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path: {
                /**
                 * @description The order's id, `ford_…`.
                 * @example ford_01m8rqs7900000000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FlightChangeRequest"];
            };
        };
        responses: {
            /** @description Confirm a change and reissue the ticket. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlightChangeResponse"];
                };
            };
        };
    };
    listFlightOrderServices: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path: {
                /**
                 * @description The order's id, `ford_…`.
                 * @example ford_01m8rqs7900000000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the bags that can still be bought for an order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlightServicesResponse"];
                };
            };
        };
    };
    addFlightOrderServices: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request: for 24 hours you get the first call's response, or the call resumes what a 5xx left unfinished, and nothing is booked twice.
                 * @example 1b239c69-7da8-41cb-964c-269637287c60
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_offer_expired" | "sbx_price_changed" | "sbx_insufficient_funds" | "sbx_payment_failed" | "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path: {
                /**
                 * @description The order's id, `ford_…`.
                 * @example ford_01m8rqs7900000000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FlightAddServicesRequest"];
            };
        };
        responses: {
            /** @description Buy bags for an order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlightOrder"];
                };
            };
        };
    };
    acceptFlightScheduleChange: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request: for 24 hours you get the first call's response, or the call resumes what a 5xx left unfinished, and nothing is booked twice.
                 * @example 1b239c69-7da8-41cb-964c-269637287c60
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path: {
                /**
                 * @description The order's id, `ford_…`.
                 * @example ford_01m8rrpgs00000000000000001
                 */
                id: string;
                /**
                 * @description The schedule change's id, `schedule_…`, from the order or from the event.
                 * @example schedule_01m8rrpgs00000000000000008
                 */
                changeId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FlightAcceptScheduleChangeRequest"];
            };
        };
        responses: {
            /** @description Accept a schedule change of the airline. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlightOrder"];
                };
            };
        };
    };
    searchTransfers: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request: for 24 hours you get the first call's response, or the call resumes what a 5xx left unfinished, and nothing is booked twice.
                 * @example 1b239c69-7da8-41cb-964c-269637287c60
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TransferSearchRequest"];
            };
        };
        responses: {
            /** @description Search transfers. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransferSearchResponse"];
                };
            };
        };
    };
    listTransferOrders: {
        parameters: {
            query?: {
                /**
                 * @description How many rows the page may have.
                 * @example 1
                 */
                limit?: components["parameters"]["PageLimit"];
                /**
                 * @description `nextCursor` of the page before, with the same filters. Left out: the first page. Any other value gets 400.
                 * @example WyIyZGM1YTU1MjJmZDljODU0IiwiMjAyNi0xMi0wMVQxMToxMzowMCswMDowMCIsImhia18wMW04cm14bmswMDAwMDAwMDAwMDAwMDAwMSJd:1xYLs0:830BP-ZY_SwvujSluD4fDZhZ9xTGAjuZmWhm_foS5R0
                 */
                cursor?: components["parameters"]["PageCursor"];
                /**
                 * @description Only bookings with this reference of your own, spelled exactly.
                 * @example ACME-3001
                 */
                externalReference?: string;
                /**
                 * @description Only bookings of the trip with this reference of your own, spelled exactly.
                 * @example ACME-TRIP-7
                 */
                tripReference?: string;
                /**
                 * @description Only bookings that have this status now.
                 * @example confirmed
                 */
                status?: "pending" | "awaiting_approval" | "confirmed" | "cancelled" | "failed";
                /**
                 * @description Only bookings that changed at this instant or later, RFC 3339, not in the future. The list is then ordered by `updatedAt`, oldest first. A change appears about five seconds later. To continue, send the last `updatedAt` that you read: bookings that changed at that instant are repeated, and none is missed.
                 * @example 2026-12-01T13:02:00.000Z
                 */
                updatedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List transfer orders, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransferOrderList"];
                };
            };
        };
    };
    createTransferOrder: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request: for 24 hours you get the first call's response, or the call resumes what a 5xx left unfinished, and nothing is booked twice.
                 * @example 1b239c69-7da8-41cb-964c-269637287c60
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_offer_expired" | "sbx_price_changed" | "sbx_insufficient_funds" | "sbx_payment_failed" | "sbx_supplier_error" | "sbx_slow" | "sbx_supplier_changed" | "sbx_pending" | (string & {});
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TransferOrderRequest"];
            };
        };
        responses: {
            /** @description Order a quoted transfer. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransferOrder"];
                };
            };
        };
    };
    getTransferOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The order's `orderId`, `tord_…`.
                 * @example tord_01m8rv58a00000000000000001
                 */
                orderId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read a transfer order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransferOrder"];
                };
            };
        };
    };
    cancelTransferOrder: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request: for 24 hours you get the first call's response, or the call resumes what a 5xx left unfinished, and nothing is booked twice.
                 * @example 1b239c69-7da8-41cb-964c-269637287c60
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path: {
                /**
                 * @description The order's `orderId`, `tord_…`.
                 * @example tord_01m8rv58a00000000000000001
                 */
                orderId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelRequest"];
            };
        };
        responses: {
            /** @description Cancel a transfer order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransferOrder"];
                };
            };
        };
    };
    quoteTransferCancellation: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request: for 24 hours you get the first call's response, or the call resumes what a 5xx left unfinished, and nothing is booked twice.
                 * @example 1b239c69-7da8-41cb-964c-269637287c60
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path: {
                /**
                 * @description The order's `orderId`, `tord_…`.
                 * @example tord_01m8rv58a00000000000000001
                 */
                orderId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancellationQuoteRequest"];
            };
        };
        responses: {
            /** @description Quote the cancellation of a transfer order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancellationQuote"];
                };
            };
        };
    };
    listEsimPlans: {
        parameters: {
            query?: {
                /**
                 * @description Only plans that work in this country, those of its regions included. ISO 3166-1 alpha-2 code in capitals, such as `PT`; `XK` is Kosovo.
                 * @example PT
                 */
                country?: string;
                /**
                 * @description Only plans that are sold for this region.
                 * @example oceania
                 */
                region?: "africa" | "asia" | "caribbean" | "europe" | "global" | "latin-america" | "middle-east" | "north-america" | "oceania";
                /**
                 * @description Only plans of this kind: an amount of data, data without a limit, or with minutes and messages.
                 * @example data
                 */
                planType?: "data" | "unlimited" | "voice_sms";
                /**
                 * @description Which page to read; the first is 1. A page after the last is empty.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description How many plans a page has.
                 * @example 1
                 */
                pageSize?: number;
                /**
                 * @description How many plans the page may have; 20 where left out. Not together with `page` and `pageSize`.
                 * @example 2
                 */
                limit?: number;
                /**
                 * @description Only plans with at least so much data, in megabytes. A plan without a limit has more than any other.
                 * @example 3072
                 */
                minDataMb?: number;
                /**
                 * @description Only plans that can be used for at least so many days.
                 * @example 14
                 */
                minDays?: number;
                /**
                 * @description Only plans that cost you no more than this, in minor units of your account's currency.
                 * @example 2000
                 */
                maxPriceCents?: number;
                /**
                 * @description `price`: the cheapest first. `data`: the most data first, plans without a limit before all others. `days`: the longest first. Ties are broken by price, the cheapest first. Left out: single-country plans, then regional ones, each by name.
                 * @example price
                 */
                sort?: "price" | "data" | "days";
                /**
                 * @description `nextCursor` of the page before, with the same filters. Left out: the first page. Any other value gets 400. Not together with `page` and `pageSize`.
                 * @example WyJhMzYxOGVjYWQyMjYxZWE2IixudWxsLCJQb3J0dWdhbCAxMCBHQiwgMzAgZGF5cyIsInBsYW5fN2JqMG40a2pkODdraDI1bW1iNThkOWJ5ZHgiXQ:1xYOPk:MEo4S17Akd50qIfVn_uGGmFJ5YAOhxskSaV_8gv2quA
                 */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List eSIM plans at your net price. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EsimPlanList"];
                };
            };
        };
    };
    getEsimPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The plan's id, `plan_…`, from the catalogue.
                 * @example plan_10hn6x56c663b7w0as04awbh77
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read an eSIM plan. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EsimPlan"];
                };
            };
        };
    };
    listEsimOrders: {
        parameters: {
            query?: {
                /**
                 * @description How many rows the page may have.
                 * @example 1
                 */
                limit?: components["parameters"]["PageLimit"];
                /**
                 * @description `nextCursor` of the page before, with the same filters. Left out: the first page. Any other value gets 400.
                 * @example WyIyZGM1YTU1MjJmZDljODU0IiwiMjAyNi0xMi0wMVQxMToxMzowMCswMDowMCIsImhia18wMW04cm14bmswMDAwMDAwMDAwMDAwMDAwMSJd:1xYLs0:830BP-ZY_SwvujSluD4fDZhZ9xTGAjuZmWhm_foS5R0
                 */
                cursor?: components["parameters"]["PageCursor"];
                /**
                 * @description Only bookings with this reference of your own, spelled exactly.
                 * @example ACME-4001
                 */
                externalReference?: string;
                /**
                 * @description Only bookings of the trip with this reference of your own, spelled exactly.
                 * @example ACME-TRIP-7
                 */
                tripReference?: string;
                /**
                 * @description Only bookings that have this status now.
                 * @example provisioned
                 */
                status?: "pending" | "awaiting_approval" | "provisioned" | "cancelled" | "failed";
                /**
                 * @description Only bookings that changed at this instant or later, RFC 3339, not in the future. The list is then ordered by `updatedAt`, oldest first. A change appears about five seconds later. To continue, send the last `updatedAt` that you read: bookings that changed at that instant are repeated, and none is missed.
                 * @example 2026-12-01T14:04:00.000Z
                 */
                updatedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List eSIM orders, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EsimOrderList"];
                };
            };
        };
    };
    createEsimOrder: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request: for 24 hours you get the first call's response, or the call resumes what a 5xx left unfinished, and nothing is booked twice.
                 * @example 1b239c69-7da8-41cb-964c-269637287c60
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_price_changed" | "sbx_insufficient_funds" | "sbx_payment_failed" | "sbx_supplier_error" | "sbx_slow" | "sbx_pending" | (string & {});
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EsimOrderRequest"];
            };
        };
        responses: {
            /** @description Order an eSIM. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EsimOrder"];
                };
            };
            /** @description Order an eSIM. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EsimOrder"];
                };
            };
        };
    };
    getEsimOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The order's id, `eord_…`.
                 * @example eord_01m8ryps400000000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read an eSIM order, with its top-ups. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EsimOrder"];
                };
            };
        };
    };
    getEsimUsage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path: {
                /**
                 * @description The order's id, `eord_…`.
                 * @example eord_01m8ryps400000000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read the live data usage of an eSIM. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EsimUsage"];
                };
            };
        };
    };
    getEsimInstructions: {
        parameters: {
            query?: {
                /**
                 * @description The language of the steps, as a tag such as `de` or `pt-BR`; English by default, and if the supplier does not have the language; `language` in the response shows which it is.
                 * @example de
                 */
                language?: string;
            };
            header?: {
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path: {
                /**
                 * @description The order's id, `eord_…`.
                 * @example eord_01m8ryps400000000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read how to install an eSIM, step by step. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EsimInstructions"];
                };
            };
        };
    };
    requestEsimRefund: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request: for 24 hours you get the first call's response, or the call resumes what a 5xx left unfinished, and nothing is booked twice.
                 * @example 1b239c69-7da8-41cb-964c-269637287c60
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_supplier_error" | "sbx_slow" | "sbx_pending" | (string & {});
            };
            path: {
                /**
                 * @description The order's id, `eord_…`.
                 * @example eord_01m8rzejv00000000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EsimRefundRequest"];
            };
        };
        responses: {
            /** @description Request a refund of an unused eSIM. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EsimOrder"];
                };
            };
        };
    };
    listEsimTopUpPlans: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path: {
                /**
                 * @description The order's id, `eord_…`.
                 * @example eord_01m8ryps400000000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the top-up plans of an eSIM at your net price. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EsimTopUpPlans"];
                };
            };
        };
    };
    createEsimTopUp: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request: for 24 hours you get the first call's response, or the call resumes what a 5xx left unfinished, and nothing is booked twice.
                 * @example 1b239c69-7da8-41cb-964c-269637287c60
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /**
                 * @description With a test key: a sandbox trigger, which forces one outcome. Any other value that begins with `sbx_` is rejected; other values are ignored.
                 * @example customer-4711
                 */
                "X-Partner-Customer-Ref"?: "sbx_price_changed" | "sbx_insufficient_funds" | "sbx_payment_failed" | "sbx_supplier_error" | "sbx_slow" | "sbx_pending" | (string & {});
            };
            path: {
                /**
                 * @description The order's id, `eord_…`.
                 * @example eord_01m8ryps400000000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EsimTopUpRequest"];
            };
        };
        responses: {
            /** @description Top up an eSIM. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EsimTopUp"];
                };
            };
            /** @description Top up an eSIM. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EsimTopUp"];
                };
            };
        };
    };
    getHotelBookingDocument: {
        parameters: {
            query?: {
                /**
                 * @description `voucher`: what a hotel or a driver asks for, the confirmation of a flight, the code of an eSIM. `itinerary`: when and where, without terms. `receipt`: the payment, and the refund if it was cancelled.
                 * @example receipt
                 */
                type?: "voucher" | "receipt" | "itinerary";
                /**
                 * @description `pdf` (A4) or `html`, a self-contained page. The `Accept` header is ignored.
                 * @example pdf
                 */
                format?: "pdf" | "html";
                /**
                 * @description A language tag such as `de` or `pt-BR`. Documents exist in en, de, fr, es, pt and it; in another language they are in English. What hotels and suppliers wrote stays as it is.
                 * @example en
                 */
                language?: string;
                /**
                 * @description `none`: no price, and a receipt states that it was paid. `net`: what you pay. `sold`: the booking's `soldForCents`; 409 if it has none.
                 * @example net
                 */
                prices?: "none" | "net" | "sold";
            };
            header?: never;
            path: {
                /**
                 * @description The booking's id, `hbk_…`.
                 * @example hbk_01m8rmmgm00000000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the voucher, the itinerary or the receipt of a hotel booking. The body is a file: `application/pdf` or `text/html`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": unknown;
                    "text/html": unknown;
                };
            };
        };
    };
    getFlightOrderDocument: {
        parameters: {
            query?: {
                /**
                 * @description `voucher`: what a hotel or a driver asks for, the confirmation of a flight, the code of an eSIM. `itinerary`: when and where, without terms. `receipt`: the payment, and the refund if it was cancelled.
                 * @example itinerary
                 */
                type?: "voucher" | "receipt" | "itinerary";
                /**
                 * @description `pdf` (A4) or `html`, a self-contained page. The `Accept` header is ignored.
                 * @example html
                 */
                format?: "pdf" | "html";
                /**
                 * @description A language tag such as `de` or `pt-BR`. Documents exist in en, de, fr, es, pt and it; in another language they are in English. What hotels and suppliers wrote stays as it is.
                 * @example de
                 */
                language?: string;
                /**
                 * @description `none`: no price, and a receipt states that it was paid. `net`: what you pay. `sold`: the booking's `soldForCents`; 409 if it has none.
                 * @example none
                 */
                prices?: "none" | "net" | "sold";
            };
            header?: never;
            path: {
                /**
                 * @description The order's id, `ford_…`.
                 * @example ford_01m8rqwwf00000000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the confirmation, the itinerary or the receipt of a flight order. The body is a file: `application/pdf` or `text/html`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": unknown;
                    "text/html": unknown;
                };
            };
        };
    };
    getTransferOrderDocument: {
        parameters: {
            query?: {
                /**
                 * @description `voucher`: what a hotel or a driver asks for, the confirmation of a flight, the code of an eSIM. `itinerary`: when and where, without terms. `receipt`: the payment, and the refund if it was cancelled.
                 * @example receipt
                 */
                type?: "voucher" | "receipt" | "itinerary";
                /**
                 * @description `pdf` (A4) or `html`, a self-contained page. The `Accept` header is ignored.
                 * @example pdf
                 */
                format?: "pdf" | "html";
                /**
                 * @description A language tag such as `de` or `pt-BR`. Documents exist in en, de, fr, es, pt and it; in another language they are in English. What hotels and suppliers wrote stays as it is.
                 * @example en
                 */
                language?: string;
                /**
                 * @description `none`: no price, and a receipt states that it was paid. `net`: what you pay. `sold`: the booking's `soldForCents`; 409 if it has none.
                 * @example net
                 */
                prices?: "none" | "net" | "sold";
            };
            header?: never;
            path: {
                /**
                 * @description The order's id, `tord_…`.
                 * @example tord_01m8rv58a00000000000000001
                 */
                orderId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the voucher, the itinerary or the receipt of a transfer order. The body is a file: `application/pdf` or `text/html`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": unknown;
                    "text/html": unknown;
                };
            };
        };
    };
    getEsimOrderDocument: {
        parameters: {
            query?: {
                /**
                 * @description `voucher`: what a hotel or a driver asks for, the confirmation of a flight, the code of an eSIM. `itinerary`: when and where, without terms. `receipt`: the payment, and the refund if it was cancelled.
                 * @example voucher
                 */
                type?: "voucher" | "receipt" | "itinerary";
                /**
                 * @description `pdf` (A4) or `html`, a self-contained page. The `Accept` header is ignored.
                 * @example pdf
                 */
                format?: "pdf" | "html";
                /**
                 * @description A language tag such as `de` or `pt-BR`. Documents exist in en, de, fr, es, pt and it; in another language they are in English. What hotels and suppliers wrote stays as it is.
                 * @example pt-BR
                 */
                language?: string;
                /**
                 * @description `none`: no price, and a receipt states that it was paid. `net`: what you pay. `sold`: the booking's `soldForCents`; 409 if it has none.
                 * @example none
                 */
                prices?: "none" | "net" | "sold";
            };
            header?: never;
            path: {
                /**
                 * @description The order's id, `eord_…`.
                 * @example eord_01m8ryps400000000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the QR code with its steps, the itinerary or the receipt of an eSIM order. The body is a file: `application/pdf` or `text/html`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": unknown;
                    "text/html": unknown;
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /**
                 * @description How many rows the page may have.
                 * @example 1
                 */
                limit?: components["parameters"]["PageLimit"];
                /**
                 * @description `nextCursor` of the page before, with the same filters. Left out: the first page. Any other value gets 400.
                 * @example WyIyZGM1YTU1MjJmZDljODU0IiwiMjAyNi0xMi0wMVQxMToxMzowMCswMDowMCIsImhia18wMW04cm14bmswMDAwMDAwMDAwMDAwMDAwMSJd:1xYLs0:830BP-ZY_SwvujSluD4fDZhZ9xTGAjuZmWhm_foS5R0
                 */
                cursor?: components["parameters"]["PageCursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List webhook endpoints, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointList"];
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request: for 24 hours you get the first call's response, or the call resumes what a 5xx left unfinished, and nothing is booked twice.
                 * @example 1b239c69-7da8-41cb-964c-269637287c60
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointRequest"];
            };
        };
        responses: {
            /** @description Register a webhook endpoint. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The endpoint's id, `we_…`.
                 * @example we_01m8rgxg100000000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read a webhook endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The endpoint's id, `we_…`.
                 * @example we_01m8rgxg100000000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete a webhook endpoint. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The endpoint's id, `we_…`.
                 * @example we_01m8rgxg100000000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointChangeRequest"];
            };
        };
        responses: {
            /** @description Change a webhook endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request: for 24 hours you get the first call's response, or the call resumes what a 5xx left unfinished, and nothing is booked twice.
                 * @example 1b239c69-7da8-41cb-964c-269637287c60
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The endpoint's id, `we_…`.
                 * @example we_01m8rgxg100000000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookSecretRotationRequest"];
            };
        };
        responses: {
            /** @description Rotate the signing secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request: for 24 hours you get the first call's response, or the call resumes what a 5xx left unfinished, and nothing is booked twice.
                 * @example 1b239c69-7da8-41cb-964c-269637287c60
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The endpoint's id, `we_…`.
                 * @example we_01m8rgxg100000000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookEmptyRequest"];
            };
        };
        responses: {
            /** @description Send a test delivery of type webhook.test. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description How many rows the page may have.
                 * @example 1
                 */
                limit?: components["parameters"]["PageLimit"];
                /**
                 * @description `nextCursor` of the page before, with the same filters. Left out: the first page. Any other value gets 400.
                 * @example WyIyZGM1YTU1MjJmZDljODU0IiwiMjAyNi0xMi0wMVQxMToxMzowMCswMDowMCIsImhia18wMW04cm14bmswMDAwMDAwMDAwMDAwMDAwMSJd:1xYLs0:830BP-ZY_SwvujSluD4fDZhZ9xTGAjuZmWhm_foS5R0
                 */
                cursor?: components["parameters"]["PageCursor"];
                /**
                 * @description Only deliveries with this status, in capitals or small letters.
                 * @example DELIVERED
                 */
                status?: "PENDING" | "RETRYING" | "DELIVERED" | "FAILED" | "EXHAUSTED";
                /**
                 * @description Only deliveries of events of this type.
                 * @example webhook.test
                 */
                eventType?: "airline_credit.issued" | "apikey.revoked" | "balance.low" | "booking.approval_decided" | "booking.approval_requested" | "booking.cancelled" | "booking.changed" | "booking.confirmed" | "booking.failed" | "booking.hold_expired" | "booking.hold_expiring" | "booking.modified" | "booking.rejected" | "booking.schedule_changed" | "booking.supplier_changed" | "esim.data_low" | "esim.provisioned" | "esim.refund_decided" | "esim.status_changed" | "esim.topped_up" | "esim.usage_threshold" | "ledger.low_balance" | "payment.failed" | "payment.refunded" | "payment.succeeded" | "search_quota.threshold" | "settlement.invoice_issued" | "settlement.payment_failed" | "webhook.test";
                /**
                 * @description Only deliveries to the endpoint with this id, `we_…`.
                 * @example we_01m8rgxg100000000000000001
                 */
                endpointId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List deliveries, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryList"];
                };
            };
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The delivery's id, `whd_…`.
                 * @example whd_01m8s2dsq00000000000000002
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read a delivery with its payload and every attempt. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDetail"];
                };
            };
        };
    };
    resendWebhookDelivery: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request: for 24 hours you get the first call's response, or the call resumes what a 5xx left unfinished, and nothing is booked twice.
                 * @example 1b239c69-7da8-41cb-964c-269637287c60
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The delivery's id, `whd_…`.
                 * @example whd_01m8s2dsq00000000000000002
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookEmptyRequest"];
            };
        };
        responses: {
            /** @description Resend a finished delivery. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /**
                 * @description The event to continue after: `nextAfter` of the page before, or the `id` of any event. Left out: from the oldest.
                 * @example evt_01m8rmvv000000000000000004
                 */
                after?: string;
                /**
                 * @description How many rows the page may have.
                 * @example 1
                 */
                limit?: components["parameters"]["PageLimit"];
                /**
                 * @description Only events of these types, separated by commas, such as `booking.confirmed,booking.cancelled`.
                 * @example booking.cancelled,payment.refunded
                 */
                type?: string;
                /**
                 * @description Only events of the booking with this reference, such as `H-7KQ2M9XD`.
                 * @example H-AN3CVBJ3
                 */
                bookingReference?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read the feed of events, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedEventList"];
                };
            };
        };
    };
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Check that the process is alive. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    healthReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Check that the service is ready. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    healthFull: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read the state and latency of every component. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthReport"];
                };
            };
        };
    };
    "booking.confirmed": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; more than one v1 while a secret rotates.
                 * @example t=1796123280,v1=503d2b4f1b7a23540314b3a95bf3af7a543ecbb6c7952c7faba092006cbd673f
                 */
                "X-Service-Signature": string;
                /**
                 * @description The event's `id`: the same on every attempt.
                 * @example evt_01m8rmmgm00000000000000004
                 */
                "webhook-id": string;
                /**
                 * @description When the attempt was signed, in Unix seconds.
                 * @example 1796123280
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` keyed with the base64-decoded part of the secret after `whsec_` (Standard Webhooks); more than one, separated by spaces, while a secret rotates.
                 * @example v1,ilnzHiWsIKvX/jrRNEZeR90yq390yN+wnaMXizC+RVU=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookBookingConfirmed"];
            };
        };
        responses: {
            /** @description Received. Respond within 10 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "balance.low": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; more than one v1 while a secret rotates.
                 * @example t=1796137560,v1=d858d42a1e02c59134dac07a4c6afe85c83a6254645f080ace0484fe5596b046
                 */
                "X-Service-Signature": string;
                /**
                 * @description The event's `id`: the same on every attempt.
                 * @example evt_01m8s289y00000000000000002
                 */
                "webhook-id": string;
                /**
                 * @description When the attempt was signed, in Unix seconds.
                 * @example 1796137560
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` keyed with the base64-decoded part of the secret after `whsec_` (Standard Webhooks); more than one, separated by spaces, while a secret rotates.
                 * @example v1,1aQ5CooJ5KmVIkVulrUkWovpZynO9o5rhkGcLONVQwA=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookBalanceLow"];
            };
        };
        responses: {
            /** @description Received. Respond within 10 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "booking.cancelled": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; more than one v1 while a secret rotates.
                 * @example t=1796124420,v1=9dcac1239fa77e74611d7b46def36b02f19cc1c289553dcdc61945f6e057acfa
                 */
                "X-Service-Signature": string;
                /**
                 * @description The event's `id`: the same on every attempt.
                 * @example evt_01m8rnq9x00000000000000001
                 */
                "webhook-id": string;
                /**
                 * @description When the attempt was signed, in Unix seconds.
                 * @example 1796124420
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` keyed with the base64-decoded part of the secret after `whsec_` (Standard Webhooks); more than one, separated by spaces, while a secret rotates.
                 * @example v1,70vjbra5hzZi8OaNqcnP+ZH3h6xBm4uoP/cU1qHUsp4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookBookingCancelled"];
            };
        };
        responses: {
            /** @description Received. Respond within 10 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "booking.changed": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; more than one v1 while a secret rotates.
                 * @example t=1796124120,v1=1883f0b53fa16f1cce370b0e38bc661b69c47c351adad83400d36248b40801b1
                 */
                "X-Service-Signature": string;
                /**
                 * @description The event's `id`: the same on every attempt.
                 * @example evt_01m8rne4y00000000000000003
                 */
                "webhook-id": string;
                /**
                 * @description When the attempt was signed, in Unix seconds.
                 * @example 1796124120
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` keyed with the base64-decoded part of the secret after `whsec_` (Standard Webhooks); more than one, separated by spaces, while a secret rotates.
                 * @example v1,pxz9d7iHm/2sVAMnv9+33YwAGfDbStxfw7lt0pNh9hc=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookBookingChanged"];
            };
        };
        responses: {
            /** @description Received. Respond within 10 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "booking.schedule_changed": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; more than one v1 while a secret rotates.
                 * @example t=1796127540,v1=fc28dd15593903346a73722a51d1cb7089c815a31e2e0e29bcf62d2532dd8ac1
                 */
                "X-Service-Signature": string;
                /**
                 * @description The event's `id`: the same on every attempt.
                 * @example evt_01m8rrpgs00000000000000009
                 */
                "webhook-id": string;
                /**
                 * @description When the attempt was signed, in Unix seconds.
                 * @example 1796127540
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` keyed with the base64-decoded part of the secret after `whsec_` (Standard Webhooks); more than one, separated by spaces, while a secret rotates.
                 * @example v1,QXkcNNM1TczD0q0eiCpbpV42xbzseP+YtLIaiy/kA9A=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookBookingScheduleChanged"];
            };
        };
        responses: {
            /** @description Received. Respond within 10 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "booking.supplier_changed": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; more than one v1 while a secret rotates.
                 * @example t=1796124360,v1=174c857eb1aa58eefae5651a3f0fe61d01dfc27bf4cabc53267f80f5e7e0ef1e
                 */
                "X-Service-Signature": string;
                /**
                 * @description The event's `id`: the same on every attempt.
                 * @example evt_01m8rnnfa00000000000000002
                 */
                "webhook-id": string;
                /**
                 * @description When the attempt was signed, in Unix seconds.
                 * @example 1796124360
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` keyed with the base64-decoded part of the secret after `whsec_` (Standard Webhooks); more than one, separated by spaces, while a secret rotates.
                 * @example v1,cFrUH7L47j+y0xFTYr9/W/affpGnhXqVYZt5DzDPEqw=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookBookingSupplierChanged"];
            };
        };
        responses: {
            /** @description Received. Respond within 10 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "booking.approval_requested": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; more than one v1 while a secret rotates.
                 * @example t=1796155380,v1=bc5ffc03ddc63ac2713de4150e6ae2627668edfb6d0899e7833795e2a0cf714c
                 */
                "X-Service-Signature": string;
                /**
                 * @description The event's `id`: the same on every attempt.
                 * @example evt_01m8sk84900000000000000007
                 */
                "webhook-id": string;
                /**
                 * @description When the attempt was signed, in Unix seconds.
                 * @example 1796155380
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` keyed with the base64-decoded part of the secret after `whsec_` (Standard Webhooks); more than one, separated by spaces, while a secret rotates.
                 * @example v1,9XLt8TLMApY2FSPSninHHESirOLk2M9dQWrgUt7ZfQw=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookBookingApprovalRequested"];
            };
        };
        responses: {
            /** @description Received. Respond within 10 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "booking.approval_decided": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; more than one v1 while a secret rotates.
                 * @example t=1796155440,v1=5e4e5a6fcbc1abedd0faa72b7f10bb479dc6888f93f06d58a5ff411c9829b1c4
                 */
                "X-Service-Signature": string;
                /**
                 * @description The event's `id`: the same on every attempt.
                 * @example evt_01m8sk9yw00000000000000001
                 */
                "webhook-id": string;
                /**
                 * @description When the attempt was signed, in Unix seconds.
                 * @example 1796155440
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` keyed with the base64-decoded part of the secret after `whsec_` (Standard Webhooks); more than one, separated by spaces, while a secret rotates.
                 * @example v1,8mZEV2+6hUFOw3ZEvT5RwSJtlRl2bTLJufMq2Ry0xnk=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookBookingApprovalDecided"];
            };
        };
        responses: {
            /** @description Received. Respond within 10 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "booking.rejected": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; more than one v1 while a secret rotates.
                 * @example t=1796123760,v1=be98e03f64c104436b354cebfb1ac9644490ee952b3a61c3ade879525ec1118d
                 */
                "X-Service-Signature": string;
                /**
                 * @description The event's `id`: the same on every attempt.
                 * @example evt_01m8rn35c00000000000000004
                 */
                "webhook-id": string;
                /**
                 * @description When the attempt was signed, in Unix seconds.
                 * @example 1796123760
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` keyed with the base64-decoded part of the secret after `whsec_` (Standard Webhooks); more than one, separated by spaces, while a secret rotates.
                 * @example v1,Ddbl38D4XPlIPUddjx4fCGQeU35OFiFDivr36TjBOfk=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookBookingRejected"];
            };
        };
        responses: {
            /** @description Received. Respond within 10 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "booking.hold_expiring": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; more than one v1 while a secret rotates.
                 * @example t=1796324400,v1=6841324b7d857e60a6782d4695699ad9023ee2193aa5f7cd88409395dc5f0524
                 */
                "X-Service-Signature": string;
                /**
                 * @description The event's `id`: the same on every attempt.
                 * @example evt_01m8yme6w00000000000000006
                 */
                "webhook-id": string;
                /**
                 * @description When the attempt was signed, in Unix seconds.
                 * @example 1796324400
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` keyed with the base64-decoded part of the secret after `whsec_` (Standard Webhooks); more than one, separated by spaces, while a secret rotates.
                 * @example v1,rgkC4qHk67ZdBi5lh1NiwpPSuEapXr7qVBU5VY04w5c=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookBookingHoldExpiring"];
            };
        };
        responses: {
            /** @description Received. Respond within 10 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "booking.hold_expired": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; more than one v1 while a secret rotates.
                 * @example t=1796342400,v1=de7d8b84e0cb414fc61fe7e381db290e1a34db5587849339b7253f1b20660a35
                 */
                "X-Service-Signature": string;
                /**
                 * @description The event's `id`: the same on every attempt.
                 * @example evt_01m8z5kh000000000000000008
                 */
                "webhook-id": string;
                /**
                 * @description When the attempt was signed, in Unix seconds.
                 * @example 1796342400
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` keyed with the base64-decoded part of the secret after `whsec_` (Standard Webhooks); more than one, separated by spaces, while a secret rotates.
                 * @example v1,NRRjHouarOC664KFahOFKnwJHjc+WRPdtlZiYPFrIFE=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookBookingHoldExpired"];
            };
        };
        responses: {
            /** @description Received. Respond within 10 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "payment.refunded": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; more than one v1 while a secret rotates.
                 * @example t=1796124240,v1=329ab5344de154525aa78c1d1682daeebb6d8ceb1f5fb6bf53b02bb98e90b631
                 */
                "X-Service-Signature": string;
                /**
                 * @description The event's `id`: the same on every attempt.
                 * @example evt_01m8rnht400000000000000006
                 */
                "webhook-id": string;
                /**
                 * @description When the attempt was signed, in Unix seconds.
                 * @example 1796124240
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` keyed with the base64-decoded part of the secret after `whsec_` (Standard Webhooks); more than one, separated by spaces, while a secret rotates.
                 * @example v1,DXmxvrzSA201PqgyTw6RVk5BJYe/k9y8FkPyLUNIzOM=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookPaymentRefunded"];
            };
        };
        responses: {
            /** @description Received. Respond within 10 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "airline_credit.issued": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; more than one v1 while a secret rotates.
                 * @example t=1796128380,v1=0a3658f9a661378ff5874e1dd1b94a2ea43dc66fd40454e994e25a9392ee1fb7
                 */
                "X-Service-Signature": string;
                /**
                 * @description The event's `id`: the same on every attempt.
                 * @example evt_01m8rsg5300000000000000002
                 */
                "webhook-id": string;
                /**
                 * @description When the attempt was signed, in Unix seconds.
                 * @example 1796128380
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` keyed with the base64-decoded part of the secret after `whsec_` (Standard Webhooks); more than one, separated by spaces, while a secret rotates.
                 * @example v1,zQ5RmtfMsOrqCFBmrw/Fr8T5mY0Txu7zHnGIgMqo0ss=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookAirlineCreditIssued"];
            };
        };
        responses: {
            /** @description Received. Respond within 10 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "esim.provisioned": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; more than one v1 while a secret rotates.
                 * @example t=1796133840,v1=7c5083f28113610a91e4e6c6de1b9e1182cb13b3c4e5d9dcedd6bd3792145a82
                 */
                "X-Service-Signature": string;
                /**
                 * @description The event's `id`: the same on every attempt.
                 * @example evt_01m8ryps400000000000000004
                 */
                "webhook-id": string;
                /**
                 * @description When the attempt was signed, in Unix seconds.
                 * @example 1796133840
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` keyed with the base64-decoded part of the secret after `whsec_` (Standard Webhooks); more than one, separated by spaces, while a secret rotates.
                 * @example v1,XikTde2nqcyEjzKBIFigdoxcRM369U/4r7gltSQyPD8=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEsimProvisioned"];
            };
        };
        responses: {
            /** @description Received. Respond within 10 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "esim.topped_up": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; more than one v1 while a secret rotates.
                 * @example t=1796134440,v1=8d4bad61d03154c34276c82cbf17e6eed004af684c5c60ae9878fedce8e64a32
                 */
                "X-Service-Signature": string;
                /**
                 * @description The event's `id`: the same on every attempt.
                 * @example evt_01m8rz93200000000000000004
                 */
                "webhook-id": string;
                /**
                 * @description When the attempt was signed, in Unix seconds.
                 * @example 1796134440
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` keyed with the base64-decoded part of the secret after `whsec_` (Standard Webhooks); more than one, separated by spaces, while a secret rotates.
                 * @example v1,YqdKDPwJThkTVZ6LzyfZKI3Y0EL7j0iaRP8FrSJzI0g=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEsimToppedUp"];
            };
        };
        responses: {
            /** @description Received. Respond within 10 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "esim.data_low": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; more than one v1 while a secret rotates.
                 * @example t=1796566320,v1=38fae7b3da128b341878c6919246ba9c2245fce45091369baaf1319f4d3bd4a0
                 */
                "X-Service-Signature": string;
                /**
                 * @description The event's `id`: the same on every attempt.
                 * @example evt_01m95v50w00000000000000002
                 */
                "webhook-id": string;
                /**
                 * @description When the attempt was signed, in Unix seconds.
                 * @example 1796566320
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` keyed with the base64-decoded part of the secret after `whsec_` (Standard Webhooks); more than one, separated by spaces, while a secret rotates.
                 * @example v1,LPQaJiiG0kp2KmvF1OrP0+hl+T8zuJda6ejlWnPRkoQ=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEsimDataLow"];
            };
        };
        responses: {
            /** @description Received. Respond within 10 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "esim.status_changed": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; more than one v1 while a secret rotates.
                 * @example t=1796566320,v1=765c302e040e1d199cdb235ddf57dc31b8855a95e71a557803a5f59be321d628
                 */
                "X-Service-Signature": string;
                /**
                 * @description The event's `id`: the same on every attempt.
                 * @example evt_01m95v50w00000000000000001
                 */
                "webhook-id": string;
                /**
                 * @description When the attempt was signed, in Unix seconds.
                 * @example 1796566320
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` keyed with the base64-decoded part of the secret after `whsec_` (Standard Webhooks); more than one, separated by spaces, while a secret rotates.
                 * @example v1,imoQV094QxuNrum3EN8d4ZLjRw4ersn3zl/zb8jVu0A=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEsimStatusChanged"];
            };
        };
        responses: {
            /** @description Received. Respond within 10 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "esim.refund_decided": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; more than one v1 while a secret rotates.
                 * @example t=1796224680,v1=03a7f45a538b98d37640f42ba205520f69f81c42c5c30d37f2a1f8abfb047c58
                 */
                "X-Service-Signature": string;
                /**
                 * @description The event's `id`: the same on every attempt.
                 * @example evt_01m8vnb0200000000000000006
                 */
                "webhook-id": string;
                /**
                 * @description When the attempt was signed, in Unix seconds.
                 * @example 1796224680
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` keyed with the base64-decoded part of the secret after `whsec_` (Standard Webhooks); more than one, separated by spaces, while a secret rotates.
                 * @example v1,BTgiIgBWE/AHcTKtzwgz7oHFJeqECnGa7VZr+Ccg6lk=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEsimRefundDecided"];
            };
        };
        responses: {
            /** @description Received. Respond within 10 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; more than one v1 while a secret rotates.
                 * @example t=1796137740,v1=057b1104bc1fd1fa45cf0fa9df82b3eb31024a7159b28947bab314fe10937525
                 */
                "X-Service-Signature": string;
                /**
                 * @description The event's `id`: the same on every attempt.
                 * @example evt_01m8s2dsq00000000000000001
                 */
                "webhook-id": string;
                /**
                 * @description When the attempt was signed, in Unix seconds.
                 * @example 1796137740
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` keyed with the base64-decoded part of the secret after `whsec_` (Standard Webhooks); more than one, separated by spaces, while a secret rotates.
                 * @example v1,QIkmJOr/KJqFX5V2XVXs0SRjuS6JHi6HoF2O4Nsh+Ek=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookTest"];
            };
        };
        responses: {
            /** @description Received. Respond within 10 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
