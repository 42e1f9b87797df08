-- Order matters: a table stands after every table it refers to. Names and columns are a contract.
-- days_code and aircraft_code_sequence are referred to by others, but are keys only together with a second column.
CREATE TABLE time_zone (
    time_zone_code VARCHAR PRIMARY KEY,
    time_zone_name VARCHAR NOT NULL,
    hours_from_gmt INTEGER NOT NULL
);

CREATE TABLE state (
    state_code VARCHAR PRIMARY KEY,
    state_name VARCHAR NOT NULL,
    country_name VARCHAR NOT NULL
);

CREATE TABLE city (
    city_code VARCHAR PRIMARY KEY,
    city_name VARCHAR NOT NULL,
    state_code VARCHAR NOT NULL REFERENCES state (state_code),
    country_name VARCHAR NOT NULL,
    time_zone_code VARCHAR NOT NULL REFERENCES time_zone (time_zone_code)
);

CREATE TABLE airport (
    airport_code VARCHAR PRIMARY KEY,
    airport_name VARCHAR NOT NULL,
    airport_location VARCHAR NOT NULL,
    state_code VARCHAR NOT NULL REFERENCES state (state_code),
    country_name VARCHAR NOT NULL,
    time_zone_code VARCHAR NOT NULL REFERENCES time_zone (time_zone_code),
    minimum_connect_time INTEGER NOT NULL
);

CREATE TABLE airport_service (
    city_code VARCHAR REFERENCES city (city_code),
    airport_code VARCHAR REFERENCES airport (airport_code),
    miles_distant INTEGER NOT NULL,
    direction VARCHAR NOT NULL,
    minutes_distant INTEGER NOT NULL,
    PRIMARY KEY (city_code, airport_code)
);

CREATE TABLE ground_service (
    city_code VARCHAR,
    airport_code VARCHAR,
    transport_type VARCHAR,
    ground_fare INTEGER,
    PRIMARY KEY (city_code, airport_code, transport_type),
    FOREIGN KEY (city_code, airport_code) REFERENCES airport_service (city_code, airport_code)
);

CREATE TABLE airline (
    airline_code VARCHAR PRIMARY KEY,
    airline_name VARCHAR NOT NULL,
    note VARCHAR
);

CREATE TABLE dual_carrier (
    main_airline VARCHAR REFERENCES airline (airline_code),
    low_flight_number INTEGER,
    high_flight_number INTEGER,
    dual_airline VARCHAR NOT NULL REFERENCES airline (airline_code),
    service_name VARCHAR NOT NULL,
    PRIMARY KEY (main_airline, low_flight_number, high_flight_number)
);

CREATE TABLE aircraft (
    aircraft_code VARCHAR PRIMARY KEY,
    aircraft_description VARCHAR NOT NULL,
    manufacturer VARCHAR NOT NULL,
    basic_type VARCHAR NOT NULL,
    engines INTEGER NOT NULL,
    propulsion VARCHAR NOT NULL,
    wide_body VARCHAR NOT NULL,
    wing_span INTEGER NOT NULL,
    length INTEGER NOT NULL,
    weight INTEGER NOT NULL,
    capacity INTEGER NOT NULL,
    pay_load INTEGER,
    cruising_speed INTEGER NOT NULL,
    range_miles INTEGER NOT NULL,
    pressurized VARCHAR NOT NULL
);

CREATE TABLE equipment_sequence (
    aircraft_code_sequence VARCHAR,
    aircraft_code VARCHAR REFERENCES aircraft (aircraft_code),
    PRIMARY KEY (aircraft_code_sequence, aircraft_code)
);

CREATE TABLE month (
    month_number INTEGER PRIMARY KEY,
    month_name VARCHAR NOT NULL
);

CREATE TABLE date_day (
    month_number INTEGER REFERENCES month (month_number),
    day_number INTEGER,
    year INTEGER,
    day_name VARCHAR NOT NULL,
    PRIMARY KEY (month_number, day_number, year)
);

CREATE TABLE days (
    days_code VARCHAR,
    day_name VARCHAR,
    PRIMARY KEY (days_code, day_name)
);

CREATE TABLE time_interval (
    period VARCHAR PRIMARY KEY,
    begin_time INTEGER NOT NULL,
    end_time INTEGER NOT NULL
);

CREATE TABLE code_description (
    code VARCHAR PRIMARY KEY,
    description VARCHAR NOT NULL
);

CREATE TABLE compartment_class (
    compartment VARCHAR,
    class_type VARCHAR,
    PRIMARY KEY (compartment, class_type)
);

CREATE TABLE food_service (
    meal_code VARCHAR,
    meal_number INTEGER,
    compartment VARCHAR,
    meal_description VARCHAR NOT NULL,
    PRIMARY KEY (meal_code, meal_number, compartment)
);

CREATE TABLE class_of_service (
    booking_class VARCHAR PRIMARY KEY,
    rank INTEGER NOT NULL,
    class_description VARCHAR NOT NULL
);

CREATE TABLE fare_basis (
    fare_basis_code VARCHAR PRIMARY KEY,
    booking_class VARCHAR NOT NULL REFERENCES class_of_service (booking_class),
    class_type VARCHAR NOT NULL,
    premium VARCHAR NOT NULL,
    economy VARCHAR NOT NULL,
    discounted VARCHAR NOT NULL,
    night VARCHAR NOT NULL,
    season VARCHAR,
    basis_days VARCHAR NOT NULL
);

CREATE TABLE restriction (
    restriction_code VARCHAR PRIMARY KEY,
    advance_purchase INTEGER,
    stopovers VARCHAR NOT NULL,
    saturday_stay_required VARCHAR NOT NULL,
    minimum_stay INTEGER,
    maximum_stay INTEGER,
    application VARCHAR NOT NULL,
    no_discounts VARCHAR NOT NULL
);

CREATE TABLE flight (
    flight_id INTEGER PRIMARY KEY,
    flight_days VARCHAR NOT NULL,
    from_airport VARCHAR NOT NULL REFERENCES airport (airport_code),
    to_airport VARCHAR NOT NULL REFERENCES airport (airport_code),
    departure_time INTEGER NOT NULL,
    arrival_time INTEGER NOT NULL,
    airline_flight VARCHAR NOT NULL,
    airline_code VARCHAR NOT NULL REFERENCES airline (airline_code),
    flight_number INTEGER NOT NULL,
    aircraft_code_sequence VARCHAR NOT NULL,
    meal_code VARCHAR,
    stops INTEGER NOT NULL,
    connections INTEGER NOT NULL,
    dual_carrier VARCHAR NOT NULL,
    time_elapsed INTEGER NOT NULL
);

CREATE TABLE flight_leg (
    flight_id INTEGER REFERENCES flight (flight_id),
    leg_number INTEGER,
    leg_flight INTEGER NOT NULL REFERENCES flight (flight_id),
    PRIMARY KEY (flight_id, leg_number)
);

CREATE TABLE flight_stop (
    flight_id INTEGER REFERENCES flight (flight_id),
    stop_number INTEGER,
    stop_days VARCHAR NOT NULL,
    stop_airport VARCHAR NOT NULL REFERENCES airport (airport_code),
    arrival_time INTEGER NOT NULL,
    arrival_airline VARCHAR NOT NULL REFERENCES airline (airline_code),
    arrival_flight_number INTEGER NOT NULL,
    departure_time INTEGER NOT NULL,
    departure_airline VARCHAR NOT NULL REFERENCES airline (airline_code),
    departure_flight_number INTEGER NOT NULL,
    stop_time INTEGER NOT NULL,
    PRIMARY KEY (flight_id, stop_number)
);

CREATE TABLE fare (
    fare_id INTEGER PRIMARY KEY,
    from_airport VARCHAR NOT NULL REFERENCES airport (airport_code),
    to_airport VARCHAR NOT NULL REFERENCES airport (airport_code),
    fare_basis_code VARCHAR NOT NULL REFERENCES fare_basis (fare_basis_code),
    fare_airline VARCHAR NOT NULL REFERENCES airline (airline_code),
    restriction_code VARCHAR REFERENCES restriction (restriction_code),
    one_direction_cost INTEGER NOT NULL,
    round_trip_cost INTEGER,
    round_trip_required VARCHAR NOT NULL
);

CREATE TABLE flight_fare (
    flight_id INTEGER REFERENCES flight (flight_id),
    fare_id INTEGER REFERENCES fare (fare_id),
    PRIMARY KEY (flight_id, fare_id)
);
