// demo-origin: a small web server to put an accelerator in front of; tests and benchmarks use it too.
#include "session.hpp"

#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <thread>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/program_options.hpp>
#include <fmt/core.h>

namespace {

namespace asio = boost::asio;
namespace po = boost::program_options;

struct options {
    std::string address = "127.0.0.1";
    std::uint16_t port = 8080;
    unsigned threads = 1;
    bool help = false;
};

/// Throws po::error with the reason.
options parse(int argc, char** argv, po::options_description& known) {
    options given;
    known.add_options()("help,h", po::bool_switch(&given.help), "show this")(
        "address,a", po::value(&given.address)->default_value(given.address), "address to listen on")(
        "port,p", po::value(&given.port)->default_value(given.port), "port to listen on; 0: any free one, printed")(
        "threads,t", po::value(&given.threads)->default_value(given.threads), "threads that serve");
    po::variables_map values;
    po::store(po::command_line_parser(argc, argv).options(known).positional({}).run(), values);
    po::notify(values);
    if (given.threads == 0 || given.threads > 256) {
        throw po::error("threads: a number from 1 to 256");
    }
    return given;
}

void serve(const options& given) {
    asio::io_context context(static_cast<int>(given.threads));
    const asio::ip::tcp::endpoint where(asio::ip::make_address(given.address), given.port);
    demo::acceptor listener(context.get_executor(), where);
    demo::site pages;
    asio::co_spawn(context.get_executor(), demo::accept_all(listener, pages), asio::detached);
    asio::signal_set signals(context, SIGINT, SIGTERM);
    signals.async_wait([&context](const boost::system::error_code&, int) { context.stop(); });
    const auto bound = listener.local_endpoint();
    const bool six = bound.address().is_v6();
    fmt::print("demo-origin: http://{}{}{}:{}/\n", six ? "[" : "", bound.address().to_string(), six ? "]" : "",
               bound.port());
    std::fflush(stdout);
    std::vector<std::thread> others;
    for (unsigned i = 1; i < given.threads; ++i) {
        others.emplace_back([&context] { context.run(); });
    }
    context.run();
    for (std::thread& t : others) {
        t.join();
    }
}

} // namespace

int main(int argc, char** argv) {
    po::options_description known("demo-origin: a web server to try an accelerator with");
    try {
        const options given = parse(argc, argv, known);
        if (given.help) {
            std::cout << known;
            return 0;
        }
        serve(given);
        return 0;
    } catch (const po::error& e) {
        fmt::print(stderr, "demo-origin: {}\n", e.what());
        return 2;
    } catch (const std::exception& e) {
        fmt::print(stderr, "demo-origin: {}\n", e.what());
        return 1;
    }
}
