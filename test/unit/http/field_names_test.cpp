#include "http/field_names.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace clearcoat::http;

TEST_CASE("every known name is found in any case") {
    for (unsigned i = 1; i < static_cast<unsigned>(field_id::count); ++i) {
        auto id = static_cast<field_id>(i);
        std::string name(name_of(id));
        CAPTURE(name);
        CHECK(find_field_id(name) == id);
        for (char& c : name) {
            c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
        }
        CHECK(find_field_id(name) == id);
        for (char& c : name) {
            c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
        }
        CHECK(find_field_id(name) == id);
        CHECK(find_field_id(name + "x") == field_id::other);
        CHECK(find_field_id(name.substr(1)) != id);
    }
}

TEST_CASE("names that are nearly known are others") {
    for (const char* name :
         {"", "X", "Hosts", "Hose", "T", "TF", "Content_Length", "Content-Lengtg", "Accept-Encodinf", "X-Foo"}) {
        CAPTURE(name);
        CHECK(find_field_id(name) == field_id::other);
    }
}

TEST_CASE("copies leave out what the reference leaves out") {
    struct row {
        field_id id;
        const char* uses; // P F I S C
    };
    const row table[] = {
        {field_id::connection, "PFISC"},
        {field_id::te, "PFIS"},
        {field_id::age, "IS"},
        {field_id::range, "FI"},
        {field_id::if_none_match, "F"},
        {field_id::cache_control, "F"},
        {field_id::accept_ranges, "PFI"},
        {field_id::transfer_encoding, "PFISC"},
        {field_id::host, ""},
        {field_id::content_length, ""},
        {field_id::cookie, ""},
        {field_id::x_varnish, ""},
        {field_id::other, ""},
    };
    for (const row& r : table) {
        std::string uses;
        CAPTURE(name_of(r.id));
        uses += is_filtered(r.id, filter_use::request_pass) ? "P" : "";
        uses += is_filtered(r.id, filter_use::request_fetch) ? "F" : "";
        uses += is_filtered(r.id, filter_use::response_insert) ? "I" : "";
        uses += is_filtered(r.id, filter_use::response_pass) ? "S" : "";
        uses += is_filtered(r.id, filter_use::connection_specific) ? "C" : "";
        CHECK(uses == r.uses);
    }
}

TEST_CASE("Connection may not name fields that must pass") {
    CHECK(may_not_be_named_by_connection(field_id::host));
    CHECK(may_not_be_named_by_connection(field_id::content_length));
    CHECK(may_not_be_named_by_connection(field_id::cache_control));
    CHECK(may_not_be_named_by_connection(field_id::x_forwarded_for));
    CHECK_FALSE(may_not_be_named_by_connection(field_id::keep_alive));
    CHECK_FALSE(may_not_be_named_by_connection(field_id::upgrade));
    CHECK_FALSE(may_not_be_named_by_connection(field_id::te));
    CHECK_FALSE(may_not_be_named_by_connection(field_id::x_varnish));
    CHECK_FALSE(may_not_be_named_by_connection(field_id::other));
}
