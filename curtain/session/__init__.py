"""Study, turn, journal, bundle, recovery, message sets. No Qt, no database, no sound."""
