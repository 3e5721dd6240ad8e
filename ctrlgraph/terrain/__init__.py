"""The ground: profiles, generators, and what lies ahead."""
