"""Simulated exchange rates, fixed so that the same request prices the same: units for one euro."""

from decimal import Decimal

from apps.common import money

RATES = {
    code: Decimal(rate)
    for code, rate in (
        line.split()
        for line in """
        EUR 1
        AED 4.2
        ALL 98
        AMD 420
        ARS 1450
        AUD 1.72
        AZN 1.95
        BAM 1.956
        BDT 138
        BHD 0.43
        BOB 7.9
        BRL 6.3
        BWP 15.5
        CAD 1.58
        CHF 0.94
        CLP 1080
        CNY 8.2
        COP 4700
        CRC 580
        CZK 24.6
        DKK 7.46
        DOP 70
        DZD 151
        EGP 56
        ETB 160
        FJD 2.6
        GBP 0.85
        GEL 3.1
        GHS 13
        GTQ 8.8
        HKD 8.9
        HNL 29
        HUF 398
        IDR 18600
        ILS 4.0
        INR 98
        IQD 1500
        ISK 143
        JMD 182
        JOD 0.81
        JPY 164
        KES 148
        KHR 4600
        KRW 1560
        KWD 0.35
        KZT 600
        LBP 102000
        LKR 340
        MAD 10.6
        MDL 19.6
        MKD 61.5
        MNT 4000
        MUR 52
        MXN 21.4
        MYR 4.9
        NAD 20.6
        NGN 1750
        NOK 11.7
        NPR 157
        NZD 1.93
        OMR 0.44
        PEN 4.1
        PHP 65
        PKR 320
        PLN 4.28
        PYG 8200
        QAR 4.15
        RON 5.0
        RSD 117
        RUB 95
        RWF 1650
        SAR 4.28
        SEK 11.2
        SGD 1.49
        THB 37.6
        TND 3.4
        TRY 46
        TWD 34.8
        TZS 2900
        UAH 48
        UGX 4100
        USD 1.14
        UYU 46
        UZS 14400
        VND 29500
        XAF 656
        XOF 656
        XPF 119
        ZAR 20.6
        ZMW 27
        """.strip().splitlines()
    )
}


def from_euro_cents(cents: int, currency: str) -> int:
    """Euro cents in minor units of `currency`, one at least. A currency without a rate counts as a euro."""
    euros = money.to_major(cents, "EUR")
    return max(1, money.to_cents(euros * RATES.get(currency, Decimal(1)), currency))
