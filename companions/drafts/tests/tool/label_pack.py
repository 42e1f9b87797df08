"""A record label as a new pack: albums, tracks, concerts, venues and producers, with columns that say yes or no."""

from pathlib import Path

from curtain_packs.new_pack import new_pack

TABLES = {
    "album": """album_id,title,artist_id,genre,release_date,price_eur,explicit
1,Red Kite,1,jazz,1998-03-02,12.5,true
2,Night Bus,1,rock,2001-06-14,14.0,false
3,Low Tide,2,jazz,2004-10-30,9.5,false
4,Long Way,2,folk,1998-11-05,11.0,true
5,Half Moon,3,jazz,2007-06-21,15.5,false
""",
    "artist": """artist_id,artist_name,country,active
1,Blue Fox,Ireland,true
2,Anna Okafor,Ghana,false
3,The Harbours,Ireland,true
""",
    "track": """track_id,album_id,track_title,length_seconds
1,1,Dawn,95
2,1,Noon Bell,200
3,2,Harbour Light,310
4,3,Slow Train,420
5,5,Paper Boat,240
""",
    "venue": """venue_id,venue_name,city,capacity
1,Round House,London,800
2,Old Mill,Dublin,250
3,Glass Hall,Berlin,600
""",
    "producer": """producer_id,producer_name,city
1,Rick O'Hara,London
2,Tomoko Sato,Tokyo
3,Steve Black,Berlin
""",
    "concert": """concert_id,artist_id,venue_id,concert_date,start_time,ticket_price_eur,sold_out
1,1,1,2024-05-03,20:00:00,35,true
2,1,2,2024-05-17,19:30:00,20,false
3,2,1,2024-06-08,21:00:00,28,false
4,3,3,2024-07-20,14:00:00,15,true
5,3,1,2024-10-12,22:30:00,60,false
""",
}


def write_pack(folder: Path) -> Path:
    """The pack as `curtain domain new` writes it."""
    source = folder / "label"
    source.mkdir(parents=True)
    for table, text in TABLES.items():
        (source / f"{table}.csv").write_text(text, encoding="utf-8")
    new_pack(source, folder / "pack", lambda what, share: None)
    return folder / "pack"
