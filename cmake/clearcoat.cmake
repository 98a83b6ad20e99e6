# The options every target shares, and the functions that declare a library folder, a program and a unit test.

set(CLEARCOAT_SANITIZE "" CACHE STRING "Sanitizers to compile with, as -fsanitize= takes them")
option(CLEARCOAT_FUZZ "Build the fuzz targets (clang only)" OFF)

add_library(clearcoat_options INTERFACE)
target_compile_options(clearcoat_options INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 takes the promise's operator delete for a mismatch once it inlines a coroutine.
  target_compile_options(clearcoat_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-mismatched-new-delete>)
endif()
target_include_directories(clearcoat_options INTERFACE ${CMAKE_SOURCE_DIR}/lib)
target_compile_definitions(clearcoat_options INTERFACE
  BOOST_ASIO_SEPARATE_COMPILATION
  BOOST_ASIO_NO_DEPRECATED
  BOOST_BEAST_SEPARATE_COMPILATION
  BOOST_ASIO_RECYCLING_ALLOCATOR_CACHE_SIZE=8)
target_link_libraries(clearcoat_options INTERFACE Threads::Threads)

if(CLEARCOAT_SANITIZE)
  set(flags -fsanitize=${CLEARCOAT_SANITIZE} -fno-omit-frame-pointer)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CLEARCOAT_SANITIZE MATCHES "undefined")
    list(APPEND flags -fno-sanitize=function)
  endif()
  if(CLEARCOAT_SANITIZE MATCHES "undefined")
    list(APPEND flags -fno-sanitize-recover=undefined)
  endif()
  target_compile_options(clearcoat_options INTERFACE ${flags})
  target_link_options(clearcoat_options INTERFACE ${flags})
  target_compile_definitions(clearcoat_options INTERFACE
    CLEARCOAT_SANITIZED
    BOOST_ASIO_DISABLE_AWAITABLE_FRAME_RECYCLING
    BOOST_ASIO_DISABLE_SMALL_BLOCK_RECYCLING)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # With sanitizers g++ 12 warns of members of the standard library's own regex and function.
    target_compile_options(clearcoat_options INTERFACE -Wno-maybe-uninitialized)
  endif()
  if(CLEARCOAT_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Asio's scheduler uses fences, which TSan does not model; its locks and atomics order every access we make.
    target_compile_options(clearcoat_options INTERFACE -Wno-tsan)
  endif()
endif()
if(CLEARCOAT_FUZZ)
  target_compile_options(clearcoat_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# clearcoat_library(<folder> SOURCES a.cpp ... LINKS clearcoat::base ...): the static library of lib/<folder>. Its link list is
# the list of folders it may include, with external packages beside them.
function(clearcoat_library folder)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  add_library(clearcoat_${folder} STATIC ${arg_SOURCES})
  add_library(clearcoat::${folder} ALIAS clearcoat_${folder})
  target_link_libraries(clearcoat_${folder} PUBLIC clearcoat_options ${arg_LINKS})
endfunction()

# clearcoat_program(<name> SOURCES ... LINKS ...): a program of app/, left in <build>/bin.
function(clearcoat_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE clearcoat_options ${arg_LINKS})
endfunction()

# clearcoat_unit_test(<folder> SOURCES ... [LINKS ...]): one Catch2 executable for the tests of lib/<folder>.
function(clearcoat_unit_test folder)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  add_executable(unit_${folder} ${arg_SOURCES})
  set_target_properties(unit_${folder} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test)
  target_link_libraries(unit_${folder} PRIVATE clearcoat_test_support clearcoat::${folder} ${arg_LINKS})
  target_compile_definitions(unit_${folder} PRIVATE CLEARCOAT_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  add_test(NAME unit.${folder} COMMAND ${CLEARCOAT_TEST_LAUNCHER} $<TARGET_FILE:unit_${folder}>)
  set_tests_properties(unit.${folder} PROPERTIES TIMEOUT 300)
endfunction()
