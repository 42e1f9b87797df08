-- Keys and references were read from the source or guessed from its rows. Mend what is wrong.

CREATE TABLE "bike" (
    "id" BIGINT,
    "name" VARCHAR,
    "price" BIGINT,
    PRIMARY KEY ("id")
);

CREATE TABLE "sale" (
    "id" BIGINT,
    "bike_id" BIGINT,
    "sold_on" DATE,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("bike_id") REFERENCES "bike" ("id")
);
