// A transaction while it is put together. Private to the assembler's own files.
#pragma once

#include "logread/assembler.hpp"

#include <array>
#include <cstring>

namespace clearcoat::logread {

struct assembler::child_tag {};

struct assembler::node : base::list_hook<>, base::list_hook<assembler::child_tag> {
    vxid_value vxid = 0;
    base::seconds begun = 0;
    transaction_type type = transaction_type::unknown;
    transaction_reason reason = transaction_reason::unknown;
    bool seen_begin = false;
    bool complete = false;

    node* parent = nullptr;
    base::intrusive_list<node, child_tag> children;
    std::size_t child_count = 0;
    std::size_t ready_children = 0;

    /// Either a view of a source's words, or our own copy.
    std::span<const std::uint32_t> view;
    std::vector<std::uint32_t> copy;
    std::size_t scanned = 0; // words

    struct synthetic {
        std::size_t offset; // words of the log before it
        std::array<std::uint32_t, shm::layout::wide_overhead + 16> words;
    };
    std::vector<synthetic> synthetics; // by offset
    std::vector<std::uint32_t> merged; // the log with the synthetic records

    /// What records made for it are laid out as.
    shm::record_width width() const noexcept {
        return words().empty() ? shm::record_width::narrow : record(words().data()).width();
    }

    std::span<const std::uint32_t> words() const noexcept {
        return copy.empty() ? view : std::span<const std::uint32_t>(copy);
    }

    void append(std::span<const std::uint32_t> more, bool stable) {
        const bool goes_on = view.empty() || view.data() + view.size() == more.data();
        if (stable && copy.empty() && goes_on) {
            view = {view.empty() ? more.data() : view.data(), view.size() + more.size()};
            return;
        }
        if (copy.empty()) {
            copy.assign(view.begin(), view.end());
        }
        copy.insert(copy.end(), more.begin(), more.end());
    }

    void merge() {
        const std::span<const std::uint32_t> log = words();
        std::size_t at = 0;
        merged.clear();
        for (const synthetic& s : synthetics) {
            merged.insert(merged.end(), log.begin() + at, log.begin() + s.offset);
            at = s.offset;
            merged.insert(merged.end(), s.words.begin(), s.words.begin() + record(s.words.data()).size());
        }
        merged.insert(merged.end(), log.begin() + at, log.end());
    }

    record_range records() {
        if (synthetics.empty()) {
            return record_range(words());
        }
        merge();
        return record_range(merged);
    }

    /// As new, but for the memory it has.
    void clear() noexcept {
        vxid = 0;
        type = transaction_type::unknown;
        reason = transaction_reason::unknown;
        seen_begin = complete = false;
        parent = nullptr;
        child_count = ready_children = scanned = 0;
        view = {};
        copy.clear();
        synthetics.clear();
    }
};

} // namespace clearcoat::logread
