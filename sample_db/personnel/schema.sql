-- Order matters: a table stands after every table it refers to.
CREATE TABLE country (
    country_code VARCHAR PRIMARY KEY,
    country_name VARCHAR NOT NULL
);

CREATE TABLE state (
    state_code VARCHAR PRIMARY KEY,
    state_name VARCHAR NOT NULL
);

CREATE TABLE division (
    division INTEGER PRIMARY KEY,
    division_name VARCHAR NOT NULL
);

CREATE TABLE department (
    department INTEGER PRIMARY KEY,
    department_name VARCHAR NOT NULL,
    division INTEGER NOT NULL REFERENCES division (division)
);

CREATE TABLE employee (
    employee_id INTEGER PRIMARY KEY,
    last_name VARCHAR NOT NULL,
    first_name VARCHAR NOT NULL,
    ssn VARCHAR NOT NULL,
    sex VARCHAR NOT NULL,
    ethnic_group VARCHAR NOT NULL,
    birth_date DATE NOT NULL,
    hire_date DATE NOT NULL,
    job_title VARCHAR NOT NULL,
    level INTEGER NOT NULL,
    salary INTEGER NOT NULL,
    department INTEGER NOT NULL REFERENCES department (department),
    supervisor_id INTEGER REFERENCES employee (employee_id),
    work_phone VARCHAR NOT NULL,
    home_phone VARCHAR,
    street VARCHAR NOT NULL,
    city VARCHAR NOT NULL,
    state_code VARCHAR REFERENCES state (state_code),
    country_code VARCHAR NOT NULL REFERENCES country (country_code)
);

CREATE TABLE school (
    school_code INTEGER PRIMARY KEY,
    school_name VARCHAR NOT NULL,
    state_code VARCHAR REFERENCES state (state_code),
    country_code VARCHAR NOT NULL REFERENCES country (country_code)
);

CREATE TABLE major (
    major_code INTEGER PRIMARY KEY,
    major_name VARCHAR NOT NULL
);

CREATE TABLE degree (
    employee_id INTEGER REFERENCES employee (employee_id),
    degree VARCHAR,
    school_code INTEGER REFERENCES school (school_code),
    major_code INTEGER NOT NULL REFERENCES major (major_code),
    year INTEGER NOT NULL,
    PRIMARY KEY (employee_id, degree, school_code)
);
