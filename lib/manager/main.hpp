// The manager's entry: the program's main() when it is not a worker.
#pragma once

namespace clearcoat::manager {

/// Gives the exit status.
int main(int argc, char** argv);

} // namespace clearcoat::manager
