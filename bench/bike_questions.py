"""Plain questions about the bikes of tests/drafting/bikes_pack.py, by the hand that wrote the rules.

Those of BLIND were written before any draft for this database had been seen, and none of their drafts was looked at
since. Their first run gave 80 % at the first draft and within five; their sum was seen again after each later change,
so what it shows now is no longer quite blind.
"""

from __future__ import annotations

DEVELOPMENT = [
    ("which bikes are red", "SELECT id FROM bikes WHERE color = 'red'"),
    ("what is the most expensive bike", "SELECT id FROM bikes WHERE price = (SELECT MAX(price) FROM bikes)"),
    ("which bikes cost less than 400", "SELECT id FROM bikes WHERE price < 400"),
    ("how many bikes are there", "SELECT COUNT(*) FROM bikes"),
    ("show me all the shops", "SELECT id FROM shops"),
    ("list the blue bikes under 500", "SELECT id FROM bikes WHERE color = 'blue' AND price < 500"),
    ("which shops are in Leeds", "SELECT id FROM shops WHERE city = 'Leeds'"),
    ("how many bikes does each shop have", "SELECT shop_id, COUNT(*) FROM bikes GROUP BY shop_id"),
    ("what is the average price of a bike", "SELECT AVG(price) FROM bikes"),
    ("what does the lightest bike weigh", "SELECT MIN(weight_kg) FROM bikes"),
    ("which bikes are not black", "SELECT id FROM bikes WHERE color <> 'black'"),
    (
        "who has rented a red bike",
        "SELECT DISTINCT customer_id FROM rentals, bikes WHERE bike_id = bikes.id AND color = 'red'",
    ),
    ("which bikes have more than 15 gears", "SELECT id FROM bikes WHERE gears > 15"),
    ("bikes between 300 and 600 dollars", "SELECT id FROM bikes WHERE price BETWEEN 300 AND 600"),
    ("which customers were born before 1970", "SELECT id FROM customers WHERE birth_date < DATE '1970-01-01'"),
    ("which bikes are red or green", "SELECT id FROM bikes WHERE color IN ('red', 'green')"),
    ("what brands are there", "SELECT DISTINCT brand FROM bikes"),
    (
        "how many rentals started in 2021",
        "SELECT COUNT(*) FROM rentals WHERE start_date BETWEEN DATE '2021-01-01' AND DATE '2021-12-31'",
    ),
    ("which shop is the oldest", "SELECT id FROM shops WHERE opened = (SELECT MIN(opened) FROM shops)"),
    (
        "which bikes are in the Wheelhouse",
        "SELECT bikes.id FROM bikes, shops WHERE shop_id = shops.id AND shops.name = 'Wheelhouse'",
    ),
]

BLIND = [
    ("list all bikes that cost at least 900", "SELECT id FROM bikes WHERE price >= 900"),
    ("how many white bikes do you have", "SELECT COUNT(*) FROM bikes WHERE color = 'white'"),
    (
        "what is the cheapest Acorn bike",
        "SELECT id FROM bikes WHERE brand = 'Acorn' AND price = (SELECT MIN(price) FROM bikes WHERE brand = 'Acorn')",
    ),
    ("what colors do the Cirrus bikes come in", "SELECT DISTINCT color FROM bikes WHERE brand = 'Cirrus'"),
    ("which customers live in York", "SELECT id FROM customers WHERE city = 'York'"),
    ("when was Velo Nord opened", "SELECT opened FROM shops WHERE name = 'Velo Nord'"),
    ("which shops opened after 1995", "SELECT id FROM shops WHERE opened > DATE '1995-12-31'"),
    ("how heavy is the heaviest bike", "SELECT MAX(weight_kg) FROM bikes"),
    ("what is the email of Ben Marsh", "SELECT email FROM customers WHERE name = 'Ben Marsh'"),
    ("which customers have no email", "SELECT id FROM customers WHERE email IS NULL"),
    ("what is the average price per brand", "SELECT brand, AVG(price) FROM bikes GROUP BY brand"),
    (
        "which shop has the most bikes",
        "SELECT shop_id FROM bikes GROUP BY 1 HAVING COUNT(*) >= ALL (SELECT COUNT(*) FROM bikes GROUP BY shop_id)",
    ),
    ("is there a green Borealis", "SELECT id FROM bikes WHERE color = 'green' AND brand = 'Borealis'"),
    ("how many different brands are there", "SELECT COUNT(DISTINCT brand) FROM bikes"),
    (
        "which bikes has Cora Finch rented",
        "SELECT DISTINCT bike_id FROM rentals, customers WHERE customer_id = customers.id AND name = 'Cora Finch'",
    ),
    (
        "who was born in 1962",
        "SELECT id FROM customers WHERE birth_date BETWEEN DATE '1962-01-01' AND DATE '1962-12-31'",
    ),
    ("which bikes were never rented", "SELECT id FROM bikes WHERE id NOT IN (SELECT bike_id FROM rentals)"),
    ("in which city is Green Gear", "SELECT city FROM shops WHERE name = 'Green Gear'"),
    ("what is the total number of days rented", "SELECT SUM(days) FROM rentals"),
    (
        "which bikes weigh more than 12 kilos but cost less than 500",
        "SELECT id FROM bikes WHERE weight_kg > 12 AND price < 500",
    ),
]
