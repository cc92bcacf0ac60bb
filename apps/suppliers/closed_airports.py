"""Airports of `airportsdata` that no passenger can fly from: the package keeps codes of some that closed, and does not say so.

Compiled in November 2026 from public records (OurAirports, operators' notices) over all 7,884 codes of airportsdata 20260905. An
airport is here only where the case is certain: one without scheduled flights today, or closed for a war that may end, stays.
"""

CLOSED = {
    "ADA": "Adana Şakirpaşa: passengers use COV since August 2024",
    "BKA": "Moscow Bykovo: closed in 2010",
    "BPM": "Hyderabad Begumpet: passengers use HYD since 2008",
    "CBU": "Cottbus-Drewitz: closed, an industrial park",
    "DIA": "Doha International: passengers use DOH since 2014",
    "DKR": "Dakar Senghor: passengers use DSS since December 2017",
    "DOK": "Donetsk: destroyed in 2014",
    "FEL": "Fürstenfeldbruck: closed in 2015",
    "FSS": "RAF Kinloss: closed in 2012, a barracks",
    "GSE": "Gothenburg City: passengers use GOT since January 2015",
    "HEW": "Athens Ellinikon: closed in 2001, replaced by ATH",
    "HRT": "RAF Linton-on-Ouse: closed in 2020",
    "ING": "El Calafate, the old Lago Argentino airfield: replaced by FTE in 2000",
    "ISL": "Istanbul Atatürk: passengers use IST since April 2019",
    "KAG": "Gangneung: an air base, without passengers since YNY opened in 2002",
    "LIZ": "Loring: closed, all runways",
    "LSG": "Leshan: under construction",
    "MES": "Medan Polonia: an air base, passengers use KNO since July 2013",
    "MTS": "Matsapha: passengers use SHO since 2014",
    "NAY": "Beijing Nanyuan: closed in September 2019, replaced by PKX",
    "OEL": "Oryol Yuzhny: closed to passengers since 2010",
    "OKH": "RAF Cottesmore: closed in 2012, a barracks",
    "PIF": "Pingtung North: closed to passengers in 2011",
    "SFQ": "Şanlıurfa, the old airport: replaced by GNY in 2007",
    "SQZ": "RAF Scampton: closed in 2023",
    "TIP": "Tripoli International: destroyed in 2014, passengers use MJI",
    "TXG": "Taichung Shuinan: closed in 2004, replaced by RMQ",
    "TXL": "Berlin Tegel: closed in November 2020, replaced by BER",
    "ULN": "Ulaanbaatar Buyant-Ukhaa: passengers use UBN since July 2021",
    "VLU": "Velikiye Luki: closed",
    "VSG": "Luhansk: destroyed in 2014",
    "WNJ": "Weining: under construction",
    "YEC": "Yecheon: an air base, without passengers since 2004",
    "YMX": "Montréal-Mirabel: freight only, passengers use YUL since 2004",
    "YVA": "Moroni Iconi: closed, passengers use HAH",
}

_BASES = """
    ADX AKH AKT ANK APG API AVB BAB BAD BEX BEQ BIX BJY BUP BYS BZZ CBM CSF CVS DAA DLF DMA DNA DOV DPG DYS EDF EDW EIL END ESK
    EVX FAF FBG FBK FCS FFD FFO FLV FRI FRN FSI FTK FWH GHF GLZ GRF GSB GWE HFF HHI HIF HLR HMN HMY HOP HSZ HUA IAB IGL ILH INS
    IQA IUD JAG JWO KLD KMX KNF LDV LFI LGF LHK LKZ LMO LRF LSF LSV LTS LUF LWR MCF MHZ MIB MUI MUO MWD MXF MXR NBG NEN NFL NGP
    NGW NHD NHK NHX NIP NJA NLC NPA NQI NQX NRS NSE NTD NTU NUJ NUW NZY OAI ODH OFF OKO OSN OZP OZR PAM POB POE PQE QCY QPG
    RCA RDR RMS RND ROZ RUG SGI SKA SNJ SPM SSC SSN SUU SVN SWU SZL SZV TGA TIK TQD TQS UAB UAM UDE UTI VAD VIY VTM WIE WKF WOE
    WRB WTN XEN XIJ XXN YEO
"""
AIR_BASES = frozenset(_BASES.split())  # military airfields without a terminal for passengers
