// Written by `make clients-typescript-generate` from the OpenAPI document. Do not edit.

export interface paths {
    "/v1/ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask whether the service answers
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
         * List the ledger, newest first, beside the balance
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
    "/v1/account/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count billable searches by UTC day, product and key: what an invoice line traces back to
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
         * @description Answers once prices have settled, each rate bookable for about 20 minutes. An empty body looks in featured cities, 30 days ahead, for one night and two adults.
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
         * @description Nothing is priced anew: the rates are those of the search, and expire when it said.
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
         * @description The funds are held before the hotel is asked, and captured once it has confirmed.
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
         * @description Costs what its cancellation policy says at this moment; a non-refundable booking costs its whole price.
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
         * @description Answers at once with offers, each bookable for about 20 minutes. No session, no polling.
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
    "/v1/flights/offers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Re-price an offer at the airline. Billable
         * @description From then on the offer is quoted at the price answered here.
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
         * @description The funds are held before the airline is asked, and captured once it has ticketed.
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
         * @description Costs the fare's penalty; a non-refundable order costs its whole price.
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
         * Confirm a change: the ticket is reissued
         * @description What it costs is held before the airline is asked. `settled: false` means that the ticket is reissued and a difference in your favour is credited shortly.
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
         * @description Answers at once with offers, each bookable for about 20 minutes. `outbound` is local and has no offset: at an airport, station or port it is the arrival or the departure there.
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
         * @description The funds are held before the supplier is asked. They stay held when the order is confirmed, until the reconciliation worker captures them: poll the order while `settlement.funds` is `still_held`.
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
         * @description Costs what its policy says by now. Funds still held are released but for the penalty, captured ones refunded but for it.
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
    "/v1/esim/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List eSIM plans at your net price
         * @description From our own catalogue; free of charge.
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
         * @description Some operators deliver a few seconds later: the order is `pending` then, with its funds held, and `esim.provisioned` tells when it is ready. An externalReference that was used before answers the existing order with 200.
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
         * Read an eSIM order
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
         * @description While the supplier is unreachable: the last known values, with `status` null. An order without a profile is a conflict.
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
         * @description The answer shows its signing secret; nothing shows it again. At most 20 an environment.
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
         * @description Its deliveries stay readable; unfinished ones end FAILED.
         *
         *     Scope `webhooks:manage`, rate class BOOKING, free of the search quota.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description `status: enabled` sends at once what waited, and clears the count of failures.
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
         * @description For 24 hours deliveries are signed with both; a second rotation within them is refused with `safeAfter`, unless it is `immediate`.
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
         * Send a finished delivery once more
         * @description The same payload with a fresh signature. Where it fails, the delivery keeps the status it had.
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
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask whether the process is alive
         * @description It asks nothing else: neither the database nor Redis.
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
         * Ask whether the service can serve
         * @description 503 only while the database does not answer or lacks a migration; without Redis `degraded`, because reads go on.
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
         * Read every part's state and latency
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
        /** Delivery of booking.confirmed */
        post: operations["booking.confirmed"];
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
        /** Delivery of booking.cancelled */
        post: operations["booking.cancelled"];
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
        /** Delivery of payment.refunded */
        post: operations["payment.refunded"];
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
        /** Delivery of esim.provisioned */
        post: operations["esim.provisioned"];
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
        /** Delivery of webhook.test */
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
        Account: {
            id: string;
            name: string;
            status: "active" | "read-only" | "suspended" | (string & {});
            environment: "test" | "live" | (string & {});
            settlementModes: string[];
            scopes: string[];
            balance: components["schemas"]["AccountBalance"];
            key: components["schemas"]["ApiKey"];
            limits: components["schemas"]["AccountLimits"];
            liveApproval: components["schemas"]["LiveApproval"];
        };
        AccountBalance: {
            currency: string;
            availableCents: number;
            heldCents: number;
        };
        AccountLimits: {
            rate: components["schemas"]["RateLimitsByClass"];
            searchQuota: components["schemas"]["SearchQuota"];
        };
        ApiKey: {
            id: string;
            name: string;
            prefix: string;
            environment: "test" | "live" | (string & {});
            settlementMode: string;
            allowedIps: string[];
            /** Format: date-time */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description At most a minute late
             */
            lastUsedAt: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        BookedHotelRoom: {
            roomName: string;
            board: components["schemas"]["HotelBoard"];
            refundable: boolean;
        };
        BookingCancellation: {
            /** Format: date-time */
            cancelledAt: string;
            penaltyCents: number;
            refundCents: number;
            currency: string;
            reason: string | null;
        };
        BookingSupplier: {
            name: string;
            reference: string | null;
        };
        /** @description Every field is optional; an empty object cancels at whatever it costs. */
        CancelRequest: {
            reason?: string;
            /** Format: int64 */
            maxPenaltyCents?: number;
        };
        ContactInput: {
            /** Format: email */
            email: string;
            phone: string;
        };
        EsimActivation: {
            /** @description The whole activation code, which the QR code holds */
            lpa: string;
            smdpAddress: string;
            matchingId: string;
            /** @description The QR code as SVG; needs no key, and is not guessable */
            qrSvgUrl: string;
        };
        EsimCoverage: {
            /** @description ISO 3166-1 alpha-2 */
            country: string;
            networks: string[];
        };
        EsimOrder: {
            id: string;
            reference: string;
            externalReference: string | null;
            environment: "test" | "live" | (string & {});
            totalCents: number;
            currency: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            supplier: components["schemas"]["BookingSupplier"];
            /** @description Only where the supplier charges in another currency: the rate of all the booking's amounts, fixed when it was quoted. A supplier's own terms, passed on word by word, stay in its currency. */
            exchange?: components["schemas"]["ExchangeRate"];
            cancellation: components["schemas"]["BookingCancellation"] | null;
            status: "pending" | "provisioned" | "cancelled" | "failed" | (string & {});
            /** @description The same as id */
            purchaseId: string;
            plan: components["schemas"]["EsimOrderPlan"];
            /** @description null until provisioned */
            iccid: string | null;
            /** @description null until provisioned */
            activation: components["schemas"]["EsimActivation"] | null;
        };
        EsimOrderList: {
            data: components["schemas"]["EsimOrder"][];
            hasMore: boolean;
            nextCursor: string | null;
        };
        /** @description A plan as it was sold. */
        EsimOrderPlan: {
            id: string;
            name: string;
            planType: "data" | "unlimited" | "voice_sms" | (string & {});
            /** @description ISO 3166-1 alpha-2 */
            countries: string[];
            /** @description null: a plan of one country */
            region: "africa" | "asia" | "caribbean" | "europe" | "global" | "latin-america" | "middle-east" | "north-america" | "oceania" | (string & {}) | null;
            /** @description null: unlimited */
            dataMb: number | null;
            validityDays: number;
            voiceMinutes: number;
            smsCount: number;
            priceCents: number;
            currency: string;
            priceBasis: "net" | (string & {});
            suggestedRetailCents: number;
        };
        EsimOrderRequest: {
            planId: string;
            externalReference?: string | null;
            /** Format: int64 */
            maxTotalCents?: number;
        };
        /** @description A plan of the catalogue, at the partner's net price. */
        EsimPlan: {
            id: string;
            name: string;
            planType: "data" | "unlimited" | "voice_sms" | (string & {});
            /** @description ISO 3166-1 alpha-2 */
            countries: string[];
            /** @description null: a plan of one country */
            region: "africa" | "asia" | "caribbean" | "europe" | "global" | "latin-america" | "middle-east" | "north-america" | "oceania" | (string & {}) | null;
            /** @description null: unlimited */
            dataMb: number | null;
            validityDays: number;
            voiceMinutes: number;
            smsCount: number;
            priceCents: number;
            currency: string;
            priceBasis: "net" | (string & {});
            suggestedRetailCents: number;
            coverage: components["schemas"]["EsimCoverage"][];
        };
        EsimPlanList: {
            data: components["schemas"]["EsimPlan"][];
            page: number;
            pageSize: number;
            /** @description Of all pages */
            total: number;
        };
        EsimUsage: {
            orderId: string;
            iccid: string;
            /** @description null: the supplier is briefly unreachable, and these are the last known values */
            status: "not_installed" | "active" | "depleted" | "expired" | (string & {}) | null;
            /** @description null: unlimited */
            dataTotalMb: number | null;
            dataUsedMb: number;
            /** @description null: unlimited */
            dataRemainingMb: number | null;
            /**
             * Format: date-time
             * @description null until the profile is first used
             */
            validUntil: string | null;
            /**
             * Format: date-time
             * @description When the supplier said so
             */
            lastUpdatedAt: string;
        };
        /** @description The rate that a supplier's prices were converted at: one unit of `base` is `rate` units of `quote`. */
        ExchangeRate: {
            base: string;
            quote: string;
            /** @description A decimal number, exact, as text */
            rate: string;
            /** Format: date */
            asOf: string;
        };
        FlightCarrier: {
            code: string;
            name: string;
        };
        FlightChange: {
            changeId: string;
            differenceCents: number;
            currency: string;
            settled: boolean;
            /** Format: date-time */
            settledAt: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        FlightChangeOption: {
            changeId: string;
            /** @description Negative: returns to the partner */
            differenceCents: number;
            currency: string;
            newTotalCents: number;
            penaltyCents: number;
            /** Format: date-time */
            expiresAt: string;
            slice: components["schemas"]["FlightSlice"];
        };
        FlightChangeOptionsRequest: {
            removeSliceId: string;
            add: components["schemas"]["FlightSliceInput"];
        };
        FlightChangeOptionsResponse: {
            orderId: string;
            options: components["schemas"]["FlightChangeOption"][];
        };
        FlightChangeRequest: {
            changeId: string;
        };
        FlightChangeResponse: {
            orderId: string;
            changeId: string;
            status: "ticketed" | (string & {});
            differenceCents: number;
            currency: string;
            /** @description false: the ticket is reissued and the money moves shortly; never a reason to call again */
            settled: boolean;
            order: components["schemas"]["FlightOrder"];
        };
        FlightConditions: {
            refundable: boolean;
            changeable: boolean;
            penaltyCents: number | null;
        };
        FlightContact: {
            email: string;
            phone: string;
        };
        /** @description A price as every offer carries it. */
        FlightOffer: {
            totalCents: number;
            currency: string;
            priceBasis: "net" | (string & {});
            suggestedRetailCents: number;
            offerId: string;
            /** Format: date-time */
            expiresAt: string;
            carrier: components["schemas"]["FlightCarrier"];
            cabin: "economy" | "premium_economy" | "business" | "first" | (string & {});
            conditions: components["schemas"]["FlightConditions"];
            slices: components["schemas"]["FlightSlice"][];
        };
        FlightOrder: {
            id: string;
            reference: string;
            externalReference: string | null;
            environment: "test" | "live" | (string & {});
            totalCents: number;
            currency: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            supplier: components["schemas"]["BookingSupplier"];
            /** @description Only where the supplier charges in another currency: the rate of all the booking's amounts, fixed when it was quoted. A supplier's own terms, passed on word by word, stay in its currency. */
            exchange?: components["schemas"]["ExchangeRate"];
            cancellation: components["schemas"]["BookingCancellation"] | null;
            status: "pending" | "ticketed" | "cancelled" | "failed" | (string & {});
            offerId: string;
            pnr: string | null;
            ticketNumbers: string[];
            carrier: components["schemas"]["FlightCarrier"];
            cabin: "economy" | "premium_economy" | "business" | "first" | (string & {});
            conditions: components["schemas"]["FlightConditions"];
            slices: components["schemas"]["FlightSlice"][];
            passengers: components["schemas"]["FlightPassenger"][];
            contact: components["schemas"]["FlightContact"];
            changes: components["schemas"]["FlightChange"][];
        };
        FlightOrderList: {
            data: components["schemas"]["FlightOrder"][];
            hasMore: boolean;
            nextCursor: string | null;
        };
        FlightOrderRequest: {
            offerId: string;
            passengers: components["schemas"]["FlightPassengerInput"][];
            contact: components["schemas"]["ContactInput"];
            externalReference?: string | null;
            /** Format: int64 */
            maxTotalCents?: number;
        };
        FlightPassenger: {
            title: string | null;
            gender: string | null;
            firstName: string;
            lastName: string;
            /** Format: date */
            dateOfBirth: string;
            type: "adult" | "child" | "infant" | (string & {});
        };
        FlightPassengerCountsInput: {
            /** @default 1 */
            adults?: number;
            /** @default 0 */
            children?: number;
            /** @default 0 */
            infants?: number;
        };
        FlightPassengerInput: {
            /**
             * @description * `mr` - mr
             *     * `ms` - ms
             *     * `mrs` - mrs
             *     * `miss` - miss
             *     * `dr` - dr
             * @enum {string}
             */
            title?: "mr" | "ms" | "mrs" | "miss" | "dr";
            /**
             * @description * `m` - m
             *     * `f` - f
             * @enum {string}
             */
            gender?: "m" | "f";
            firstName: string;
            lastName: string;
            /** Format: date */
            dateOfBirth: string;
            /**
             * @description * `adult` - adult
             *     * `child` - child
             *     * `infant` - infant
             * @enum {string}
             */
            type: "adult" | "child" | "infant";
        };
        FlightSearchRequest: {
            origin: string;
            destination: string;
            /** Format: date */
            departureDate: string;
            /** Format: date */
            returnDate?: string;
            passengers?: components["schemas"]["FlightPassengerCountsInput"];
            /**
             * @description * `economy` - economy
             *     * `premium_economy` - premium_economy
             *     * `business` - business
             *     * `first` - first
             * @default economy
             * @enum {string}
             */
            cabin?: "economy" | "premium_economy" | "business" | "first";
            maxConnections?: number;
            /** @default 20 */
            limit?: number;
        };
        FlightSearchResponse: {
            id: string;
            /** Format: date-time */
            createdAt: string;
            offers: components["schemas"]["FlightOffer"][];
        };
        FlightSegment: {
            origin: string;
            destination: string;
            /**
             * Format: date-time
             * @description In the airport's own zone
             */
            departureAt: string;
            /**
             * Format: date-time
             * @description In the airport's own zone
             */
            arrivalAt: string;
            durationMinutes: number;
            carrier: components["schemas"]["FlightCarrier"];
            flightNumber: string;
        };
        FlightSlice: {
            sliceId: string;
            origin: string;
            destination: string;
            /**
             * Format: date-time
             * @description In the airport's own zone
             */
            departureAt: string;
            /**
             * Format: date-time
             * @description In the airport's own zone
             */
            arrivalAt: string;
            durationMinutes: number;
            segments: components["schemas"]["FlightSegment"][];
        };
        FlightSliceInput: {
            origin: string;
            destination: string;
            /** Format: date */
            departureDate: string;
        };
        FoundHotel: {
            hotelId: string;
            name: string;
            /** @description 0 where it is not known */
            stars: number;
            address: components["schemas"]["HotelAddress"];
            location: components["schemas"]["HotelLocation"];
            amenities: string[];
            rates: components["schemas"]["HotelRate"][];
        };
        Health: {
            status: "ok" | (string & {});
        };
        HealthReport: {
            status: "ok" | "degraded" | (string & {});
            parts: {
                [key: string]: {
                    [key: string]: unknown;
                };
            };
        };
        Hotel: {
            hotelId: string;
            name: string;
            /** @description 0 where it is not known */
            stars: number;
            address: components["schemas"]["HotelAddress"];
            location: components["schemas"]["HotelLocation"];
            amenities: string[];
        };
        HotelAddress: {
            street: string;
            city: string;
            countryCode: string;
        };
        HotelBoard: {
            /** @description RO, BB, HB, FB or AI */
            code: string;
            name: string;
        };
        HotelBooking: {
            id: string;
            reference: string;
            externalReference: string | null;
            environment: "test" | "live" | (string & {});
            totalCents: number;
            currency: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            supplier: components["schemas"]["BookingSupplier"];
            /** @description Only where the supplier charges in another currency: the rate of all the booking's amounts, fixed when it was quoted. A supplier's own terms, passed on word by word, stay in its currency. */
            exchange?: components["schemas"]["ExchangeRate"];
            cancellation: components["schemas"]["BookingCancellation"] | null;
            status: "pending" | "confirmed" | "cancelled" | "failed" | (string & {});
            rateId: string;
            hotel: components["schemas"]["Hotel"];
            room: components["schemas"]["BookedHotelRoom"];
            /** Format: date */
            checkIn: string;
            /** Format: date */
            checkOut: string;
            rooms: components["schemas"]["HotelRoom"][];
            guests: components["schemas"]["HotelGuest"][];
            contact: components["schemas"]["HotelContact"];
            specialRequests: string | null;
            /** @description The hotel's own, where it gives one */
            confirmationCode: string | null;
            /** @description The supplier's terms as given at booking, verbatim */
            cancellationPolicy: unknown;
            payAtHotel: components["schemas"]["HotelLocalCharge"][];
        };
        HotelBookingList: {
            data: components["schemas"]["HotelBooking"][];
            hasMore: boolean;
            nextCursor: string | null;
        };
        HotelBookingRequest: {
            rateId: string;
            guests: components["schemas"]["HotelGuestInput"][];
            contact: components["schemas"]["ContactInput"];
            externalReference?: string | null;
            specialRequests?: string;
            /** Format: int64 */
            maxTotalCents?: number;
        };
        HotelContact: {
            email: string;
            phone: string;
        };
        HotelDestinationInput: {
            city?: string;
            countryCode?: string;
        };
        HotelGuest: {
            firstName: string;
            lastName: string;
            type: "adult" | "child" | (string & {});
            age: number | null;
        };
        HotelGuestInput: {
            firstName: string;
            lastName: string;
            /**
             * @description * `adult` - adult
             *     * `child` - child
             * @enum {string}
             */
            type: "adult" | "child";
            /** @description Of children only */
            age?: number;
        };
        HotelLocalCharge: {
            description: string;
            amountCents: number;
            /** @description Often not the booking's */
            currency: string;
        };
        HotelLocation: {
            /** Format: double */
            latitude: number;
            /** Format: double */
            longitude: number;
        };
        HotelLocationInput: {
            /** Format: double */
            latitude: number;
            /** Format: double */
            longitude: number;
            /**
             * Format: double
             * @default 10
             */
            radiusKm?: number;
        };
        /** @description A price for the whole stay and all its rooms. */
        HotelRate: {
            totalCents: number;
            currency: string;
            priceBasis: "net" | (string & {});
            suggestedRetailCents: number;
            rateId: string;
            roomName: string;
            board: components["schemas"]["HotelBoard"];
            refundable: boolean;
            /** @description The supplier's own terms, verbatim: its form differs from supplier to supplier */
            cancellationPolicy: unknown;
            /** @description Paid by the guest at the hotel, no part of the total */
            payAtHotel: components["schemas"]["HotelLocalCharge"][];
            /** Format: date-time */
            expiresAt: string;
        };
        HotelRoom: {
            adults: number;
            childrenAges: number[];
        };
        HotelRoomInput: {
            /** @default 2 */
            adults?: number;
            childrenAges?: number[];
        };
        HotelSearch: {
            id: string;
            status: "completed" | (string & {});
            /** Format: date */
            checkIn: string;
            /** Format: date */
            checkOut: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the last of its rates can no longer be booked
             */
            expiresAt: string;
            hotels: components["schemas"]["FoundHotel"][];
        };
        /** @description Every field is optional. Where several say where, a hotel must satisfy all of them. */
        HotelSearchRequest: {
            destination?: components["schemas"]["HotelDestinationInput"];
            hotelIds?: string[];
            location?: components["schemas"]["HotelLocationInput"];
            /** Format: date */
            checkIn?: string;
            /** Format: date */
            checkOut?: string;
            rooms?: components["schemas"]["HotelRoomInput"][];
            guestNationality?: string;
            /** @default false */
            refundableOnly?: boolean;
            /** Format: int64 */
            maxTotalCents?: number;
            /** @default 20 */
            limit?: number;
        };
        LedgerEntry: {
            id: string;
            type: "top_up" | "hold" | "capture" | "release" | "refund" | "adjustment" | (string & {});
            /** @description Signed effect on the available balance */
            amountCents: number;
            heldDeltaCents: number;
            availableAfterCents: number;
            heldAfterCents: number;
            bookingType: string | null;
            bookingReference: string | null;
            keyId: string | null;
            description: string;
            /** Format: date-time */
            createdAt: string;
        };
        /** @description A page beside the balance. */
        LedgerEntryList: {
            currency: string;
            availableCents: number;
            heldCents: number;
            data: components["schemas"]["LedgerEntry"][];
            hasMore: boolean;
            nextCursor: string | null;
        };
        LiveApproval: {
            status: "none" | "requested" | "approved" | "lapsed" | (string & {});
            /** Format: date-time */
            approvedUntil: string | null;
        };
        Ping: {
            status: "ok" | (string & {});
            /** Format: date-time */
            time: string;
        };
        /** @description A price for the whole stay and all its rooms. */
        QuotedHotelRate: {
            totalCents: number;
            currency: string;
            priceBasis: "net" | (string & {});
            suggestedRetailCents: number;
            rateId: string;
            roomName: string;
            board: components["schemas"]["HotelBoard"];
            refundable: boolean;
            /** @description The supplier's own terms, verbatim: its form differs from supplier to supplier */
            cancellationPolicy: unknown;
            /** @description Paid by the guest at the hotel, no part of the total */
            payAtHotel: components["schemas"]["HotelLocalCharge"][];
            /** Format: date-time */
            expiresAt: string;
            hotel: components["schemas"]["Hotel"];
            /** Format: date */
            checkIn: string;
            /** Format: date */
            checkOut: string;
            rooms: components["schemas"]["HotelRoom"][];
        };
        RateLimit: {
            limit: number;
            windowSeconds: number;
        };
        RateLimitsByClass: {
            SEARCH: components["schemas"]["RateLimit"];
            BOOKING: components["schemas"]["RateLimit"];
            READ: components["schemas"]["RateLimit"];
        };
        Readiness: {
            status: "ok" | "degraded" | "unavailable" | (string & {});
        };
        /** @description A price as every offer carries it. */
        RepricedFlightOffer: {
            totalCents: number;
            currency: string;
            priceBasis: "net" | (string & {});
            suggestedRetailCents: number;
            offerId: string;
            /** Format: date-time */
            expiresAt: string;
            carrier: components["schemas"]["FlightCarrier"];
            cabin: "economy" | "premium_economy" | "business" | "first" | (string & {});
            conditions: components["schemas"]["FlightConditions"];
            slices: components["schemas"]["FlightSlice"][];
            previousTotalCents: number;
            priceChanged: boolean;
        };
        SearchQuota: {
            limit: number;
            remaining: number;
            /** Format: date-time */
            resetsAt: string;
        };
        SearchUsage: {
            /** Format: date */
            from: string;
            /** Format: date */
            to: string;
            data: components["schemas"]["SearchUsageLine"][];
        };
        SearchUsageLine: {
            /** Format: date */
            date: string;
            product: "hotels" | "flights" | "transfers" | (string & {});
            keyId: string;
            billableSearches: number;
        };
        /** @description Until the first step begins cancelling is free. */
        TransferCancellationPolicyStep: {
            /**
             * Format: date-time
             * @description null: from the booking on
             */
            from: string | null;
            /** @description What cancelling costs until the next step begins */
            amountCents: number;
            currency: string;
        };
        TransferLeadPassenger: {
            firstName: string;
            lastName: string;
            email: string;
            phone: string;
        };
        TransferLeadPassengerInput: {
            firstName: string;
            lastName: string;
            /** Format: email */
            email: string;
            phone: string;
        };
        /** @description A price as every offer carries it. */
        TransferOffer: {
            totalCents: number;
            currency: string;
            priceBasis: "net" | (string & {});
            suggestedRetailCents: number;
            quoteId: string;
            vehicle: components["schemas"]["TransferVehicle"];
            durationMinutes: number | null;
            cancellationPolicy: components["schemas"]["TransferCancellationPolicyStep"][];
            /** @description Terms that travellers have to be told */
            remarks: string[];
            waitingTimes: components["schemas"]["TransferWaitingTime"][];
            /** Format: date-time */
            expiresAt: string;
        };
        /** @description Belongs on the traveller's voucher. */
        TransferOperator: {
            /** @description Who drives */
            name: string;
            vatNumber: string | null;
            /** @description The supplier's company that invoices */
            invoiceCompany: string | null;
        };
        TransferOrder: {
            id: string;
            reference: string;
            externalReference: string | null;
            environment: "test" | "live" | (string & {});
            totalCents: number;
            currency: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            supplier: components["schemas"]["BookingSupplier"];
            /** @description Only where the supplier charges in another currency: the rate of all the booking's amounts, fixed when it was quoted. A supplier's own terms, passed on word by word, stay in its currency. */
            exchange?: components["schemas"]["ExchangeRate"];
            cancellation: components["schemas"]["BookingCancellation"] | null;
            status: "pending" | "confirmed" | "cancelled" | "failed" | (string & {});
            /** @description The same as `id` */
            orderId: string;
            quoteId: string;
            settlement: components["schemas"]["TransferSettlement"];
            to: components["schemas"]["TransferPlace"];
            /** @description Local at the place, without offset */
            outbound: string;
            passengers: components["schemas"]["TransferPassengers"];
            vehicle: components["schemas"]["TransferVehicle"];
            durationMinutes: number | null;
            leadPassenger: components["schemas"]["TransferLeadPassenger"];
            flightNumber: string | null;
            notes: string | null;
            cancellationPolicy: components["schemas"]["TransferCancellationPolicyStep"][];
            /** @description Terms that travellers have to be told */
            remarks: string[];
            waitingTimes: components["schemas"]["TransferWaitingTime"][];
            /** @description null until the order is confirmed */
            pickup: components["schemas"]["TransferPickup"] | null;
            /** @description null where the supplier does not name it */
            operator: components["schemas"]["TransferOperator"] | null;
            from: components["schemas"]["TransferPlace"];
        };
        TransferOrderList: {
            data: components["schemas"]["TransferOrder"][];
            hasMore: boolean;
            nextCursor: string | null;
        };
        TransferOrderRequest: {
            quoteId: string;
            leadPassenger: components["schemas"]["TransferLeadPassengerInput"];
            /** @description With a live key required from and to airports, seven characters at most but for spaces */
            flightNumber?: string;
            /** @description For the driver */
            notes?: string;
            externalReference?: string | null;
            /** Format: int64 */
            maxTotalCents?: number;
        };
        TransferPassengers: {
            adults: number;
            children: number;
            infants: number;
        };
        TransferPickup: {
            /** @description Local at the place, without offset */
            at: string | null;
            instructions: string;
            emergencyPhone: string | null;
        };
        TransferPlace: {
            type: "IATA" | "HOTEL" | "STATION" | "PORT" | "GEO" | (string & {});
            code: string | null;
            name: string | null;
            address: string | null;
            town: string | null;
            country: string | null;
            zip: string | null;
            /** Format: double */
            latitude: number | null;
            /** Format: double */
            longitude: number | null;
        };
        /** @description `code` names an airport, hotel, station or port; GEO is named by its coordinates. */
        TransferPlaceInput: {
            /**
             * @description * `IATA` - IATA
             *     * `HOTEL` - HOTEL
             *     * `STATION` - STATION
             *     * `PORT` - PORT
             *     * `GEO` - GEO
             * @enum {string}
             */
            type: "IATA" | "HOTEL" | "STATION" | "PORT" | "GEO";
            /** @description Required but for GEO. IATA: three capitals. HOTEL: with a live key the supplier's own number, or any code with coordinates and an address */
            code?: string;
            name?: string;
            /** @description With a live key required beside coordinates: the driver has to find the place */
            address?: string;
            /** @description With a live key required beside coordinates: the driver has to find the place */
            town?: string;
            /** @description With a live key required beside coordinates: the driver has to find the place */
            country?: string;
            /** @description With a live key required beside coordinates: the driver has to find the place */
            zip?: string;
            /**
             * Format: double
             * @description Required for GEO
             */
            latitude?: number;
            /**
             * Format: double
             * @description Required for GEO
             */
            longitude?: number;
        };
        TransferSearchRequest: {
            from: components["schemas"]["TransferPlaceInput"];
            to: components["schemas"]["TransferPlaceInput"];
            /**
             * @description Local at the place, without offset
             * @example 2027-02-03T14:30:00
             */
            outbound: string;
            adults: number;
            /** @default 0 */
            children?: number;
            /** @default 0 */
            infants?: number;
            /**
             * @description * `economy` - economy
             *     * `comfort` - comfort
             *     * `business` - business
             *     * `minivan` - minivan
             *     * `minibus` - minibus
             *     * `shuttle` - shuttle
             * @enum {string}
             */
            vehicleClass?: "economy" | "comfort" | "business" | "minivan" | "minibus" | "shuttle";
            /** @default 20 */
            limit?: number;
        };
        TransferSearchResponse: {
            id: string;
            /** Format: date-time */
            createdAt: string;
            offers: components["schemas"]["TransferOffer"][];
        };
        /** @description Poll while `still_held`: the reconciliation worker resolves it within a minute. */
        TransferSettlement: {
            /** @description still_held: to be captured. captured: paid. released: came back from the hold (cancelled before its capture, or failed). refunded: came back after the capture */
            funds: "still_held" | "captured" | "released" | "refunded" | (string & {});
            /** @description What is held, was paid, or came back */
            amountCents: number;
            currency: string;
            /** Format: date-time */
            resolvedAt: string | null;
        };
        TransferVehicle: {
            class: "economy" | "comfort" | "business" | "minivan" | "minibus" | "shuttle" | (string & {});
            description: string;
            maxPassengers: number | null;
            maxBags: number | null;
        };
        /** @description How long one of the two waits at the pick-up. */
        TransferWaitingTime: {
            who: "driver" | "customer" | (string & {});
            minutes: number;
        };
        WebhookAttemptTimings: {
            lookupMs: number | null;
            connectMs: number | null;
            tlsMs: number | null;
            firstByteMs: number | null;
        };
        WebhookDelivery: {
            id: string;
            endpointId: string;
            eventId: string;
            eventType: string;
            status: "PENDING" | "RETRYING" | "DELIVERED" | "FAILED" | "EXHAUSTED" | (string & {});
            attemptCount: number;
            /** Format: date-time */
            nextAttemptAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            completedAt: string | null;
        };
        WebhookDeliveryAttempt: {
            number: number;
            /** Format: date-time */
            attemptedAt: string;
            durationMs: number;
            timings: components["schemas"]["WebhookAttemptTimings"];
            requestHeaders: {
                [key: string]: string;
            };
            statusCode: number | null;
            /** @description The first 8 KiB */
            responseBody: string;
            /** @description The cause in plain words */
            error: string | null;
            /** @description Whether it is one of the seven */
            counted: boolean;
        };
        WebhookDeliveryDetail: {
            id: string;
            endpointId: string;
            eventId: string;
            eventType: string;
            status: "PENDING" | "RETRYING" | "DELIVERED" | "FAILED" | "EXHAUSTED" | (string & {});
            attemptCount: number;
            /** Format: date-time */
            nextAttemptAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            completedAt: string | null;
            payload: {
                [key: string]: unknown;
            };
            attempts: components["schemas"]["WebhookDeliveryAttempt"][];
        };
        WebhookDeliveryList: {
            data: components["schemas"]["WebhookDelivery"][];
            hasMore: boolean;
            nextCursor: string | null;
        };
        /** @description `{}`. */
        WebhookEmptyRequest: Record<string, never>;
        WebhookEndpoint: {
            id: string;
            url: string;
            events: string[];
            description: string;
            status: "enabled" | "disabled" | (string & {});
            disabledReason: string | null;
            /** Format: date-time */
            disabledAt: string | null;
            consecutiveFailures: number;
            environment: "test" | "live" | (string & {});
            /** Format: date-time */
            previousSecretExpiresAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** @description Every field is optional; `enabled` also clears the count of failures. */
        WebhookEndpointChangeRequest: {
            url?: string;
            events?: components["schemas"]["WebhookEventType"][];
            description?: string;
            /**
             * @description * `enabled` - enabled
             *     * `disabled` - disabled
             * @enum {string}
             */
            status?: "enabled" | "disabled";
        };
        WebhookEndpointList: {
            data: components["schemas"]["WebhookEndpoint"][];
            hasMore: boolean;
            nextCursor: string | null;
        };
        WebhookEndpointRequest: {
            url: string;
            events: components["schemas"]["WebhookEventType"][];
            description?: string;
        };
        WebhookEndpointWithSecret: {
            id: string;
            url: string;
            events: string[];
            description: string;
            status: "enabled" | "disabled" | (string & {});
            disabledReason: string | null;
            /** Format: date-time */
            disabledAt: string | null;
            consecutiveFailures: number;
            environment: "test" | "live" | (string & {});
            /** Format: date-time */
            previousSecretExpiresAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description `whsec_…`, shown in this answer only */
            secret: string;
        };
        /** @enum {string} */
        WebhookEventType: "apikey.revoked" | "booking.cancelled" | "booking.confirmed" | "booking.failed" | "booking.modified" | "esim.provisioned" | "esim.usage_threshold" | "ledger.low_balance" | "payment.failed" | "payment.refunded" | "payment.succeeded" | "search_quota.threshold" | "settlement.invoice_issued" | "settlement.payment_failed";
        WebhookSecretRotationRequest: {
            /** @default false */
            immediate?: boolean;
        };
        /** @description Every failure. Branch on `type`, never on `message`; ignore fields and types you do not know. */
        ErrorEnvelope: {
            error: components["schemas"]["ApiError"];
        };
        ApiError: {
            /** @description Machine-readable and stable */
            type: string;
            message: string;
            /** @description Equals X-Request-Id */
            requestId: string;
            docUrl?: string;
            details?: components["schemas"]["ApiErrorDetail"][];
            /** @description How many details are left out; absent where all are given */
            detailsOmitted?: number;
        } & {
            [key: string]: unknown;
        };
        ApiErrorDetail: {
            field: string;
            message: string;
        };
        WebhookBookingConfirmed: {
            /** @description Deduplicate on this */
            id: string;
            /** @constant */
            type: "booking.confirmed";
            /** Format: date-time */
            createdAt: string;
            environment: "test" | "live" | (string & {});
            data: components["schemas"]["WebhookBookingConfirmedData"];
        };
        WebhookBookingConfirmedData: {
            bookingType: string;
            bookingReference: string;
            bookingId: string;
            externalReference: string | null;
            totalCents: number;
            currency: string;
        };
        WebhookBookingCancelled: {
            /** @description Deduplicate on this */
            id: string;
            /** @constant */
            type: "booking.cancelled";
            /** Format: date-time */
            createdAt: string;
            environment: "test" | "live" | (string & {});
            data: components["schemas"]["WebhookBookingCancelledData"];
        };
        WebhookBookingCancelledData: {
            bookingType: string;
            bookingReference: string;
            bookingId: string;
            externalReference: string | null;
            refunded: boolean;
            refundCents: number;
            currency: string;
        };
        WebhookPaymentRefunded: {
            /** @description Deduplicate on this */
            id: string;
            /** @constant */
            type: "payment.refunded";
            /** Format: date-time */
            createdAt: string;
            environment: "test" | "live" | (string & {});
            data: components["schemas"]["WebhookPaymentRefundedData"];
        };
        WebhookPaymentRefundedData: {
            bookingType: string;
            bookingReference: string;
            bookingId: string;
            externalReference: string | null;
            refundCents: number;
            currency: string;
        };
        WebhookEsimProvisioned: {
            /** @description Deduplicate on this */
            id: string;
            /** @constant */
            type: "esim.provisioned";
            /** Format: date-time */
            createdAt: string;
            environment: "test" | "live" | (string & {});
            data: components["schemas"]["WebhookEsimProvisionedData"];
        };
        WebhookEsimProvisionedData: {
            bookingType: string;
            bookingReference: string;
            bookingId: string;
            externalReference: string | null;
            purchaseId: string;
            iccid: string;
            planName: string;
            status: string;
        };
        WebhookTest: {
            /** @description Deduplicate on this */
            id: string;
            /** @constant */
            type: "webhook.test";
            /** Format: date-time */
            createdAt: string;
            environment: "test" | "live" | (string & {});
            data: components["schemas"]["WebhookTestData"];
        };
        WebhookTestData: {
            endpointId: string;
            message: string;
        };
    };
    responses: never;
    parameters: {
        /** @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request. For 24 hours that answers what the first call answered, and nothing is booked twice. */
        IdempotencyKey: string;
        /** @description How many rows the page may have. */
        PageLimit: number;
        /** @description `nextCursor` of the page before, with the same filters. Left out: the first page. One that we did not give: 400. */
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
            /** @description Ask whether the service answers. */
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
                /** @description How many rows the page may have. */
                limit?: components["parameters"]["PageLimit"];
                /** @description `nextCursor` of the page before, with the same filters. Left out: the first page. One that we did not give: 400. */
                cursor?: components["parameters"]["PageCursor"];
                type?: "top_up" | "hold" | "capture" | "release" | "refund" | "adjustment";
                bookingReference?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the ledger, newest first, beside the balance. */
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
    getSearchUsage: {
        parameters: {
            query?: {
                /** @description First UTC day, inclusive */
                from?: string;
                /** @description Last UTC day, inclusive */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Count billable searches by UTC day, product and key: what an invoice line traces back to. */
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
    searchHotels: {
        parameters: {
            query?: never;
            header: {
                /** @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request. For 24 hours that answers what the first call answered, and nothing is booked twice. */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /** @description With a test key: a sandbox trigger, which makes one failure happen for certain. Any other value that begins with `sbx_` is refused; the rest is ignored. */
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
            query?: never;
            header?: never;
            path: {
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
    getHotelRate: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a test key: a sandbox trigger, which makes one failure happen for certain. Any other value that begins with `sbx_` is refused; the rest is ignored. */
                "X-Partner-Customer-Ref"?: "sbx_offer_expired" | (string & {});
            };
            path: {
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
    listHotelBookings: {
        parameters: {
            query?: {
                /** @description How many rows the page may have. */
                limit?: components["parameters"]["PageLimit"];
                /** @description `nextCursor` of the page before, with the same filters. Left out: the first page. One that we did not give: 400. */
                cursor?: components["parameters"]["PageCursor"];
                externalReference?: string;
                status?: "pending" | "confirmed" | "cancelled" | "failed";
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
                /** @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request. For 24 hours that answers what the first call answered, and nothing is booked twice. */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /** @description With a test key: a sandbox trigger, which makes one failure happen for certain. Any other value that begins with `sbx_` is refused; the rest is ignored. */
                "X-Partner-Customer-Ref"?: "sbx_offer_expired" | "sbx_price_changed" | "sbx_insufficient_funds" | "sbx_payment_failed" | "sbx_supplier_error" | "sbx_slow" | (string & {});
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
                /** @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request. For 24 hours that answers what the first call answered, and nothing is booked twice. */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /** @description With a test key: a sandbox trigger, which makes one failure happen for certain. Any other value that begins with `sbx_` is refused; the rest is ignored. */
                "X-Partner-Customer-Ref"?: "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path: {
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
    searchFlights: {
        parameters: {
            query?: never;
            header: {
                /** @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request. For 24 hours that answers what the first call answered, and nothing is booked twice. */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /** @description With a test key: a sandbox trigger, which makes one failure happen for certain. Any other value that begins with `sbx_` is refused; the rest is ignored. */
                "X-Partner-Customer-Ref"?: "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
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
    repriceFlightOffer: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a test key: a sandbox trigger, which makes one failure happen for certain. Any other value that begins with `sbx_` is refused; the rest is ignored. */
                "X-Partner-Customer-Ref"?: "sbx_offer_expired" | "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Re-price an offer at the airline. Billable. */
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
    listFlightOrders: {
        parameters: {
            query?: {
                /** @description How many rows the page may have. */
                limit?: components["parameters"]["PageLimit"];
                /** @description `nextCursor` of the page before, with the same filters. Left out: the first page. One that we did not give: 400. */
                cursor?: components["parameters"]["PageCursor"];
                externalReference?: string;
                status?: "pending" | "ticketed" | "cancelled" | "failed";
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
                /** @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request. For 24 hours that answers what the first call answered, and nothing is booked twice. */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /** @description With a test key: a sandbox trigger, which makes one failure happen for certain. Any other value that begins with `sbx_` is refused; the rest is ignored. */
                "X-Partner-Customer-Ref"?: "sbx_offer_expired" | "sbx_price_changed" | "sbx_insufficient_funds" | "sbx_payment_failed" | "sbx_supplier_error" | "sbx_slow" | (string & {});
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
                /** @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request. For 24 hours that answers what the first call answered, and nothing is booked twice. */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /** @description With a test key: a sandbox trigger, which makes one failure happen for certain. Any other value that begins with `sbx_` is refused; the rest is ignored. */
                "X-Partner-Customer-Ref"?: "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path: {
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
    listFlightChangeOptions: {
        parameters: {
            query?: never;
            header: {
                /** @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request. For 24 hours that answers what the first call answered, and nothing is booked twice. */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /** @description With a test key: a sandbox trigger, which makes one failure happen for certain. Any other value that begins with `sbx_` is refused; the rest is ignored. */
                "X-Partner-Customer-Ref"?: "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path: {
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
                /** @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request. For 24 hours that answers what the first call answered, and nothing is booked twice. */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /** @description With a test key: a sandbox trigger, which makes one failure happen for certain. Any other value that begins with `sbx_` is refused; the rest is ignored. */
                "X-Partner-Customer-Ref"?: "sbx_offer_expired" | "sbx_price_changed" | "sbx_insufficient_funds" | "sbx_payment_failed" | "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path: {
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
            /** @description Confirm a change: the ticket is reissued. */
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
    searchTransfers: {
        parameters: {
            query?: never;
            header: {
                /** @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request. For 24 hours that answers what the first call answered, and nothing is booked twice. */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /** @description With a test key: a sandbox trigger, which makes one failure happen for certain. Any other value that begins with `sbx_` is refused; the rest is ignored. */
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
                /** @description How many rows the page may have. */
                limit?: components["parameters"]["PageLimit"];
                /** @description `nextCursor` of the page before, with the same filters. Left out: the first page. One that we did not give: 400. */
                cursor?: components["parameters"]["PageCursor"];
                externalReference?: string;
                status?: "pending" | "confirmed" | "cancelled" | "failed";
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
                /** @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request. For 24 hours that answers what the first call answered, and nothing is booked twice. */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /** @description With a test key: a sandbox trigger, which makes one failure happen for certain. Any other value that begins with `sbx_` is refused; the rest is ignored. */
                "X-Partner-Customer-Ref"?: "sbx_offer_expired" | "sbx_price_changed" | "sbx_insufficient_funds" | "sbx_payment_failed" | "sbx_supplier_error" | "sbx_slow" | (string & {});
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
                /** @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request. For 24 hours that answers what the first call answered, and nothing is booked twice. */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /** @description With a test key: a sandbox trigger, which makes one failure happen for certain. Any other value that begins with `sbx_` is refused; the rest is ignored. */
                "X-Partner-Customer-Ref"?: "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path: {
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
    listEsimPlans: {
        parameters: {
            query?: {
                /** @description ISO 3166-1 alpha-2; regional plans count in. */
                country?: string;
                region?: "africa" | "asia" | "caribbean" | "europe" | "global" | "latin-america" | "middle-east" | "north-america" | "oceania";
                planType?: "data" | "unlimited" | "voice_sms";
                page?: number;
                pageSize?: number;
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
                /** @description How many rows the page may have. */
                limit?: components["parameters"]["PageLimit"];
                /** @description `nextCursor` of the page before, with the same filters. Left out: the first page. One that we did not give: 400. */
                cursor?: components["parameters"]["PageCursor"];
                externalReference?: string;
                status?: "pending" | "provisioned" | "cancelled" | "failed";
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
                /** @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request. For 24 hours that answers what the first call answered, and nothing is booked twice. */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /** @description With a test key: a sandbox trigger, which makes one failure happen for certain. Any other value that begins with `sbx_` is refused; the rest is ignored. */
                "X-Partner-Customer-Ref"?: "sbx_price_changed" | "sbx_insufficient_funds" | "sbx_payment_failed" | "sbx_supplier_error" | "sbx_slow" | (string & {});
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
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read an eSIM order. */
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
                /** @description With a test key: a sandbox trigger, which makes one failure happen for certain. Any other value that begins with `sbx_` is refused; the rest is ignored. */
                "X-Partner-Customer-Ref"?: "sbx_supplier_error" | "sbx_slow" | (string & {});
            };
            path: {
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
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description How many rows the page may have. */
                limit?: components["parameters"]["PageLimit"];
                /** @description `nextCursor` of the page before, with the same filters. Left out: the first page. One that we did not give: 400. */
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
                /** @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request. For 24 hours that answers what the first call answered, and nothing is booked twice. */
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
                /** @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request. For 24 hours that answers what the first call answered, and nothing is booked twice. */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
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
                /** @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request. For 24 hours that answers what the first call answered, and nothing is booked twice. */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
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
                /** @description How many rows the page may have. */
                limit?: components["parameters"]["PageLimit"];
                /** @description `nextCursor` of the page before, with the same filters. Left out: the first page. One that we did not give: 400. */
                cursor?: components["parameters"]["PageCursor"];
                /** @description In any case */
                status?: "PENDING" | "RETRYING" | "DELIVERED" | "FAILED" | "EXHAUSTED";
                eventType?: "apikey.revoked" | "booking.cancelled" | "booking.confirmed" | "booking.failed" | "booking.modified" | "esim.provisioned" | "esim.usage_threshold" | "ledger.low_balance" | "payment.failed" | "payment.refunded" | "payment.succeeded" | "search_quota.threshold" | "settlement.invoice_issued" | "settlement.payment_failed" | "webhook.test";
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
                /** @description A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only with the same request. For 24 hours that answers what the first call answered, and nothing is booked twice. */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
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
            /** @description Send a finished delivery once more. */
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
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ask whether the process is alive. */
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
            /** @description Ask whether the service can serve. */
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
            /** @description Read every part's state and latency. */
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
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; more than one v1 while a secret rotates */
                "X-Service-Signature": string;
                /** @description The event's `id`: the same on every attempt */
                "webhook-id": string;
                /** @description When the attempt was signed, in Unix seconds */
                "webhook-timestamp": string;
                /** @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` with the bytes that the secret's base64 after `whsec_` stands for (Standard Webhooks); more than one, apart by spaces, while a secret rotates */
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
            /** @description Received. Answer within 10 seconds. */
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
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; more than one v1 while a secret rotates */
                "X-Service-Signature": string;
                /** @description The event's `id`: the same on every attempt */
                "webhook-id": string;
                /** @description When the attempt was signed, in Unix seconds */
                "webhook-timestamp": string;
                /** @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` with the bytes that the secret's base64 after `whsec_` stands for (Standard Webhooks); more than one, apart by spaces, while a secret rotates */
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
            /** @description Received. Answer within 10 seconds. */
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
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; more than one v1 while a secret rotates */
                "X-Service-Signature": string;
                /** @description The event's `id`: the same on every attempt */
                "webhook-id": string;
                /** @description When the attempt was signed, in Unix seconds */
                "webhook-timestamp": string;
                /** @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` with the bytes that the secret's base64 after `whsec_` stands for (Standard Webhooks); more than one, apart by spaces, while a secret rotates */
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
            /** @description Received. Answer within 10 seconds. */
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
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; more than one v1 while a secret rotates */
                "X-Service-Signature": string;
                /** @description The event's `id`: the same on every attempt */
                "webhook-id": string;
                /** @description When the attempt was signed, in Unix seconds */
                "webhook-timestamp": string;
                /** @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` with the bytes that the secret's base64 after `whsec_` stands for (Standard Webhooks); more than one, apart by spaces, while a secret rotates */
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
            /** @description Received. Answer within 10 seconds. */
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
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; more than one v1 while a secret rotates */
                "X-Service-Signature": string;
                /** @description The event's `id`: the same on every attempt */
                "webhook-id": string;
                /** @description When the attempt was signed, in Unix seconds */
                "webhook-timestamp": string;
                /** @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` with the bytes that the secret's base64 after `whsec_` stands for (Standard Webhooks); more than one, apart by spaces, while a secret rotates */
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
            /** @description Received. Answer within 10 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
