// Beast's non-template code, compiled once for all programs (BOOST_BEAST_SEPARATE_COMPILATION).
#include <boost/beast/src.hpp>
