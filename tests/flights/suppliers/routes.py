"""Routes that a traveller would try first, near and far."""

MAIN_ROUTES = [
    tuple(route.split("-"))
    for route in """
    LIS-BER LHR-JFK CDG-FCO FRA-MAD AMS-CPH DUB-BCN ATH-VIE JFK-LAX SFO-SEA ORD-MIA
    YYZ-YVR MEX-CUN GRU-GIG EZE-SCL BOG-MIA DXB-LHR DOH-SIN DEL-BOM BKK-HKT SIN-KUL
    HND-CTS ICN-NRT PEK-PVG HKG-TPE SYD-MEL AKL-SYD SYD-LHR JNB-CPT NBO-ADD CAI-IST
    LAX-NRT MAD-GRU LIS-LAX CDG-PPT
    """.split()
]
