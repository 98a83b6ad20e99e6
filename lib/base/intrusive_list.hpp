// A doubly linked list whose links live in the elements: O(1) insert and unlink, no allocation. The list does not own
// its elements, and an element must be unlinked before it dies. Guarded by whatever guards the owner.
#pragma once

#include "base/panic.hpp"

#include <cstddef>

namespace clearcoat::base {

/// The links of an element in one list; derive from it, with a `Tag` for each list an element can be in at once.
template<class Tag = void>
class list_hook {
  public:
    list_hook() = default;
    list_hook(const list_hook&) = delete;
    list_hook& operator=(const list_hook&) = delete;
    ~list_hook() { CLEARCOAT_ASSERT(next_ == nullptr); }

    bool linked() const noexcept { return next_ != nullptr; }
    /// Takes the element out of the list it is in; harmless when in none. Lists that count must be told through their
    /// own erase().
    void unlink() noexcept {
        if (next_ != nullptr) {
            next_->prev_ = prev_;
            prev_->next_ = next_;
            next_ = prev_ = nullptr;
        }
    }

  private:
    template<class, class>
    friend class intrusive_list;
    list_hook* next_ = nullptr;
    list_hook* prev_ = nullptr;
};

template<class T, class Tag = void>
class intrusive_list {
    using hook = list_hook<Tag>;

  public:
    intrusive_list() noexcept { root_.next_ = root_.prev_ = &root_; }
    ~intrusive_list() {
        clear();
        root_.next_ = root_.prev_ = nullptr;
    }
    intrusive_list(const intrusive_list&) = delete;
    intrusive_list& operator=(const intrusive_list&) = delete;

    bool empty() const noexcept { return root_.next_ == &root_; }
    T& front() noexcept { return *element(root_.next_); }
    T& back() noexcept { return *element(root_.prev_); }
    void push_front(T& item) noexcept { insert(&root_, item); }
    void push_back(T& item) noexcept { insert(root_.prev_, item); }
    /// Puts `item` before `position`, which is in this list.
    void insert_before(T& position, T& item) noexcept { insert(static_cast<hook&>(position).prev_, item); }
    void erase(T& item) noexcept { static_cast<hook&>(item).unlink(); }
    T* pop_front() noexcept {
        if (empty()) {
            return nullptr;
        }
        T& item = front();
        erase(item);
        return &item;
    }
    /// The element after or before `item`; nullptr at the end.
    T* next(T& item) noexcept { return at(static_cast<hook&>(item).next_); }
    T* prev(T& item) noexcept { return at(static_cast<hook&>(item).prev_); }
    void clear() noexcept {
        while (pop_front() != nullptr) {
        }
    }

    class iterator {
      public:
        explicit iterator(hook* at) noexcept : at_(at), next_(at->next_) {}
        T& operator*() const noexcept { return *static_cast<T*>(at_); }
        iterator& operator++() noexcept {
            at_ = next_;
            next_ = at_->next_;
            return *this;
        }
        bool operator!=(const iterator& other) const noexcept { return at_ != other.at_; }

      private:
        hook* at_;
        hook* next_; // read ahead, so the loop's body may unlink the element it stands on
    };
    iterator begin() noexcept { return iterator(root_.next_); }
    iterator end() noexcept { return iterator(&root_); }

  private:
    static T* element(hook* h) noexcept { return static_cast<T*>(h); }
    T* at(hook* h) noexcept { return h == &root_ ? nullptr : element(h); }
    static void insert(hook* after, T& item) noexcept {
        hook& h = item;
        CLEARCOAT_ASSERT(h.next_ == nullptr);
        h.prev_ = after;
        h.next_ = after->next_;
        after->next_->prev_ = &h;
        after->next_ = &h;
    }

    hook root_;
};

} // namespace clearcoat::base
